package org.verbena.rdma.core.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.verbena.rdma.RdmaError;
import org.verbena.rdma.RdmaException;

/** What calls throw. */
final class Failures {
    private Failures() {}

    /** Checks the code of what a call throws. */
    static AbstractThrowableAssert<?, ? extends Throwable> assertFails(RdmaError error, ThrowingCallable call) {
        Throwable thrown = catchThrowable(call);
        assertThat(thrown).isInstanceOf(RdmaException.class);
        assertThat(((RdmaException) thrown).error()).isEqualTo(error);
        return assertThat(thrown);
    }
}
