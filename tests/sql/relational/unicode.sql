-- Text is Unicode: literals, patterns and functions take any character, and so do functions that Calcite computes.

CREATE TABLE words (word VARCHAR(10) DEFAULT 'ř');
INSERT INTO words VALUES ('žluť'), ('Ωmega'), ('日本'), ('a😀b'), (DEFAULT);

SELECT word FROM words WHERE word LIKE 'Ω%' OR word IN ('日本', 'ř') ORDER BY word;
--> 1 | ř
--> 1 | Ωmega
--> 1 | 日本

SELECT UPPER(word) || ' ✓' AS upper_word, REPLACE(word, 'ž', 'z') AS plain, LEVENSHTEIN(word, 'zluť') AS distance
FROM words WHERE word = 'žluť';
--> 2 | ŽLUŤ ✓ | zluť | 1

SELECT SUBSTRING('日本語' FROM 2 FOR 1) AS middle, CHAR_LENGTH('日本語') AS length, 'a😀b' = word AS same
FROM words WHERE POSITION('😀' IN word) > 0;
--> 3 | 本 | 3 | TRUE
