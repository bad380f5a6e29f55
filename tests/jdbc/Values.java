import java.math.BigDecimal;
import java.sql.Connection;
import java.sql.Date;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.sql.Time;
import java.sql.Timestamp;
import java.sql.Types;
import java.util.Arrays;

/**
 * A value of each type and NULL, written as parameters and read as rows; times in the client's zone and another one.
 */
public class Values {
  public static void main(String[] args) throws Exception {
    try (Connection connection = DriverManager.getConnection(args[0]); Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE v (b BOOLEAN, t TINYINT, s SMALLINT, i INTEGER, l BIGINT, r REAL, d DOUBLE, n DECIMAL(20, 3), "
          + "c CHAR(3), vc VARCHAR(9), bin VARBINARY, dt DATE, tm TIME(3), ts TIMESTAMP(3), a INTEGER ARRAY)");
      try (PreparedStatement insert = connection.prepareStatement(
          "INSERT INTO v (b, t, s, i, l, r, d, n, c, vc, bin, dt, tm, ts) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")) {
        insert.setBoolean(1, true);
        insert.setByte(2, (byte) -8);
        insert.setShort(3, (short) 300);
        insert.setInt(4, 70_000);
        insert.setLong(5, Long.MAX_VALUE);
        insert.setFloat(6, 1.5f);
        insert.setDouble(7, Double.NEGATIVE_INFINITY);
        insert.setBigDecimal(8, new BigDecimal("12345678901234567.891"));
        insert.setString(9, "ab");
        insert.setString(10, "caf\u00e9 \ud83d\ude00");
        insert.setBytes(11, new byte[] {0, 1, -1});
        insert.setDate(12, Date.valueOf("2024-02-29"));
        insert.setTime(13, new Time(45_296_789L));
        insert.setTimestamp(14, new Timestamp(1_709_210_096_789L));
        System.out.println("inserted " + insert.executeUpdate());
        for (int i = 1; i <= 14; i++) {
          insert.setNull(i, Types.NULL);
        }
        System.out.println("inserted " + insert.executeUpdate());
        insert.setInt(2, 1_000);
        insert.addBatch();
        insert.executeBatch();
      } catch (SQLException e) {
        System.out.println(e.getSQLState() + " " + e.getMessage().lines().findFirst().get());
      }
      try (ResultSet rows = statement.executeQuery("SELECT v.*, ARRAY[1, NULL, 3] AS arr, INTERVAL '90' MINUTE AS iv FROM v ORDER BY i NULLS LAST")) {
        rows.next();
        System.out.println(rows.getBoolean(1) + " " + rows.getByte(2) + " " + rows.getShort(3) + " " + rows.getInt(4) + " "
            + rows.getLong(5) + " " + rows.getFloat(6) + " " + rows.getDouble(7) + " " + rows.getBigDecimal(8) + " [" + rows.getString(9)
            + "] " + rows.getString(10).codePoints().boxed().toList() + " " + Arrays.toString(rows.getBytes(11)));
        System.out.println(rows.getString(12) + " " + rows.getString(13) + " " + rows.getString(14) + " " + rows.getTimestamp(14).getTime());
        System.out.println(Arrays.toString((Object[]) rows.getArray("ARR").getArray()) + " " + rows.getString("IV"));
        rows.next();
        StringBuilder nulls = new StringBuilder();
        for (int i = 1; i <= 15; i++) {
          nulls.append(rows.getObject(i)).append(rows.wasNull() ? "" : "!").append(' ');
        }
        System.out.println(nulls.toString().trim());
        System.out.println("more " + rows.next());
      }
    }
    try (Connection tokyo = DriverManager.getConnection(args[0] + ";timeZone=Asia/Tokyo"); Statement statement = tokyo.createStatement();
        ResultSet rows = statement.executeQuery("SELECT ts FROM v WHERE ts IS NOT NULL")) {
      rows.next();
      System.out.println("Tokyo " + (rows.getTimestamp(1).getTime() - 1_709_210_096_789L) / 3_600_000 + " h");
    }
  }
}
