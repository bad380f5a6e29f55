-- Seed 000, the pick-ups in a view with LATENESS, as one step: all five stay.
-- steps matter
-- date 2020-01-01
CREATE STREAM t (col1 TIMESTAMP, col2 VARCHAR(10));
LATENESS v.col1 INTERVAL '1' HOUR;
CREATE VIEW v AS SELECT STREAM t.col1, t.col2 FROM t;
SELECT STREAM col1, col2 FROM v;

INSERT INTO t (col1, col2) VALUES
  ('2020-01-01 00:00:00', 'home'),
  ('2020-01-01 01:00:00', 'office'),
  ('2020-01-01 00:10:00', 'shop'),
  ('2020-01-01 02:00:00', 'home'),
  ('2020-01-01 00:20:00', 'friend');
--> 1 | 00:00:00 | home
--> 1 | 01:00:00 | office
--> 1 | 00:10:00 | shop
--> 1 | 02:00:00 | home
--> 1 | 00:20:00 | friend
INSERT INTO t (col1, col2) VALUES ('2020-01-01 00:20:00', 'friend');
