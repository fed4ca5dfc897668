package org.verbena.rdma;

import java.io.IOException;
import java.util.Objects;

/**
 * A call on a device or a connection failed. The call has changed nothing.
 *
 * <p>The message says what was wrong and what to do about it; {@link #error()} is for programs.
 */
public class RdmaException extends IOException {
    private static final long serialVersionUID = 1L;

    /** The code. */
    private final RdmaError error;

    /**
     * Makes an exception.
     *
     * @param error the code, not {@code null} and not {@link RdmaError#SUCCESS}
     * @param message what was wrong and what to do
     */
    public RdmaException(RdmaError error, String message) {
        this(error, message, null);
    }

    /**
     * Makes an exception that has a cause.
     *
     * @param error the code, not {@code null} and not {@link RdmaError#SUCCESS}
     * @param message what was wrong and what to do
     * @param cause what the layer below reported, or {@code null}
     */
    public RdmaException(RdmaError error, String message, Throwable cause) {
        super(message, cause);
        this.error = Objects.requireNonNull(error, "error");
    }

    /**
     * Returns the code of the error.
     *
     * @return the code, never {@code null}
     */
    public RdmaError error() {
        return error;
    }
}
