package org.verbena.rdma.provider.loopback.fault;

import java.util.Objects;

/**
 * A rule that was broken.
 *
 * @param kind which rule
 * @param call the call that broke it
 * @param object the object, by kind and number
 * @param detail more for people, may be empty
 * @param where the thread and the stack of the call
 */
public record Violation(ViolationKind kind, ProviderCall call, String object, String detail, Throwable where) {
    /**
     * Checks the components for {@code null}.
     *
     * @param kind which rule
     * @param call the call that broke it
     * @param object the object, by kind and number
     * @param detail more for people, may be empty
     * @param where the thread and the stack of the call
     */
    public Violation {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(call, "call");
        Objects.requireNonNull(object, "object");
        Objects.requireNonNull(detail, "detail");
        Objects.requireNonNull(where, "where");
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder();
        text.append(kind).append(": ").append(call).append(" on ").append(object);
        if (!detail.isEmpty()) {
            text.append(", ").append(detail);
        }
        text.append(", ").append(where.getMessage());
        for (StackTraceElement frame : where.getStackTrace()) {
            text.append(System.lineSeparator()).append("    at ").append(frame);
        }
        return text.toString();
    }
}
