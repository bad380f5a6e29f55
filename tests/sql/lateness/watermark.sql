-- Seed 000, WATERMARK: a row is held until one has come that is an hour ahead of it. Rows that are released in the same
-- step come in order of the column.
-- steps matter
-- date 2020-01-01
CREATE TABLE order_pickup (
   "when" TIMESTAMP NOT NULL WATERMARK INTERVAL '1:00' HOURS TO MINUTES,
   location VARCHAR
);
SELECT STREAM * FROM order_pickup;

INSERT INTO order_pickup VALUES ('2020-01-01 00:00:00', 'home');
INSERT INTO order_pickup VALUES ('2020-01-01 00:30:00', 'office');
INSERT INTO order_pickup VALUES ('2020-01-01 00:10:00', 'shop');
INSERT INTO order_pickup VALUES ('2020-01-01 01:10:00', 'home');
--> 1 | 00:00:00 | home
--> 1 | 00:10:00 | shop
-- Nothing has to be waited for, and nothing is late: that would be LATENESS.
INSERT INTO order_pickup VALUES ('2020-01-01 00:05:00', 'friend');
--> 1 | 00:05:00 | friend
SELECT COUNT(*) AS c FROM order_pickup;
--> 2 | 3
INSERT INTO order_pickup VALUES ('2020-01-01 02:10:00', 'park');
--> 1 | 00:30:00 | office
--> 1 | 01:10:00 | home
SELECT COUNT(*) AS c FROM order_pickup;
--> 3 | 5
