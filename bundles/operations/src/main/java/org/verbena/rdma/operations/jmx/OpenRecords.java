package org.verbena.rdma.operations.jmx;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import javax.management.openmbean.ArrayType;
import javax.management.openmbean.CompositeDataSupport;
import javax.management.openmbean.CompositeType;
import javax.management.openmbean.OpenDataException;
import javax.management.openmbean.OpenType;
import javax.management.openmbean.SimpleType;
import javax.management.openmbean.TabularData;
import javax.management.openmbean.TabularDataSupport;
import javax.management.openmbean.TabularType;

/**
 * Turns records into JMX' open types, which the JDK does not do for records before 21: a list of records is a table. The
 * components of a record within a record are put into the same row; lists are of strings, maps from strings to numbers.
 *
 * @param <T> the records
 */
final class OpenRecords<T extends Record> {
    private final Class<T> type;
    private final String[] names;
    private final TabularType table;

    /**
     * Makes the types.
     *
     * @param type the records
     * @param index the components that tell the rows apart
     */
    OpenRecords(Class<T> type, String... index) {
        this.type = type;
        try {
            List<String> items = new ArrayList<>();
            List<OpenType<?>> types = new ArrayList<>();
            collect(type, items, types);
            names = items.toArray(String[]::new);
            String name = type.getSimpleName();
            CompositeType row = new CompositeType(name, name, names, names, types.toArray(OpenType<?>[]::new));
            table = new TabularType(name + " table", "rows of " + name, row, index);
        } catch (OpenDataException wrong) {
            throw new IllegalArgumentException(wrong);
        }
    }

    private static void collect(Class<?> record, List<String> names, List<OpenType<?>> types) throws OpenDataException {
        for (RecordComponent component : record.getRecordComponents()) {
            if (component.getType().isRecord()) {
                collect(component.getType(), names, types);
            } else {
                names.add(component.getName());
                types.add(open(component.getType(), component.getGenericType()));
            }
        }
    }

    private static OpenType<?> open(Class<?> type, Type generic) throws OpenDataException {
        if (type == int.class || type == Integer.class) {
            return SimpleType.INTEGER;
        }
        if (type == long.class || type == Long.class) {
            return SimpleType.LONG;
        }
        if (type == boolean.class) {
            return SimpleType.BOOLEAN;
        }
        if (type == List.class) {
            return new ArrayType<>(1, SimpleType.STRING);
        }
        if (type == Map.class) {
            return map((Class<?>) ((ParameterizedType) generic).getActualTypeArguments()[1]);
        }
        return SimpleType.STRING;
    }

    private static TabularType map(Class<?> values) throws OpenDataException {
        String[] items = {"name", "value"};
        OpenType<?>[] types = {SimpleType.STRING, open(values, values)};
        CompositeType entry = new CompositeType("entry", "a name and its number", items, items, types);
        return new TabularType("map", "numbers by name", entry, new String[] {"name"});
    }

    /** Returns the records as a table. */
    TabularData table(List<T> records) {
        TabularData rows = new TabularDataSupport(table);
        try {
            for (T record : records) {
                List<Object> values = new ArrayList<>();
                collect(type, record, values);
                rows.put(new CompositeDataSupport(table.getRowType(), names, values.toArray()));
            }
            return rows;
        } catch (OpenDataException | ReflectiveOperationException wrong) {
            throw new IllegalStateException(wrong);
        }
    }

    private void collect(Class<?> recordType, Object record, List<Object> values)
            throws OpenDataException, ReflectiveOperationException {
        for (RecordComponent component : recordType.getRecordComponents()) {
            Object value = component.getAccessor().invoke(record);
            if (component.getType().isRecord()) {
                collect(component.getType(), value, values);
            } else {
                values.add(value(component, value));
            }
        }
    }

    private static Object value(RecordComponent component, Object value) throws OpenDataException {
        if (value instanceof List<?> list) {
            return list.stream().map(String::valueOf).toArray(String[]::new);
        }
        if (value instanceof Map<?, ?> map) {
            TabularType type = (TabularType) open(component.getType(), component.getGenericType());
            TabularData rows = new TabularDataSupport(type);
            for (Map.Entry<?, ?> entry : map.entrySet()) {
                rows.put(new CompositeDataSupport(type.getRowType(), new String[] {"name", "value"}, new Object[] {
                    entry.getKey(), entry.getValue()
                }));
            }
            return rows;
        }
        return value instanceof Number || value instanceof Boolean ? value : String.valueOf(value);
    }
}
