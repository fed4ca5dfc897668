package org.verbena.rdma.console.view;

import java.util.List;
import java.util.Map;

/**
 * Some rows of a table.
 *
 * @param table the table
 * @param total how many rows it has
 * @param matched how many of them were asked for
 * @param offset how many of these are before the first one here
 * @param rows the rows, each with its values by the names of the columns
 */
public record Page(Query.Table table, int total, int matched, int offset, List<Map<String, Object>> rows) {}
