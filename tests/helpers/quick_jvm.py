"""Options of a JVM that lives for less than a minute: C1 compiles in a fraction of the time of C2."""

QUICK = "-XX:+UseSerialGC -XX:TieredStopAtLevel=1 -XX:ReservedCodeCacheSize=240m"
