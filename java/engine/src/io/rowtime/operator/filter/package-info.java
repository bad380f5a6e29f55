/** WHERE with conditions on the current time: rows enter and leave as the bound advances. */
package io.rowtime.operator.filter;
