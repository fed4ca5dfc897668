package org.verbena.rdma.application.entry;

import java.io.FileDescriptor;
import java.io.FileInputStream;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.felix.service.command.CommandProcessor;
import org.apache.felix.service.command.CommandSession;
import org.apache.felix.service.command.Job;
import org.apache.felix.service.command.Job.Status;
import org.apache.felix.service.command.Result;

/** A Gogo session on standard input and output that knows how its commands have ended. */
final class ConsoleSession implements AutoCloseable {
    private static final int FAILED = 1;
    private static final int INTERRUPTED = 130;

    private final CommandSession session;
    private final PrintStream err;
    private final AtomicInteger status = new AtomicInteger();

    ConsoleSession(CommandProcessor processor) {
        // Not System.out: Gogo has put a stream there that leads each thread of a session back into the session.
        // Not the bare file stream either: Gogo would make an interruptible channel of it, and close our output.
        PrintStream out = new PrintStream(new FileOutputStream(FileDescriptor.out), true);
        err = new PrintStream(new FileOutputStream(FileDescriptor.err), true);
        session = processor.createSession(new FileInputStream(FileDescriptor.in), out, err);
        session.put("SCOPE", "rdma:gogo:*");
        session.setJobListener(this::jobChanged);
    }

    CommandSession session() {
        return session;
    }

    /** Runs a line and waits for what it runs in the foreground; a failure is printed as one sentence. */
    void execute(CharSequence line) {
        try {
            session.execute(line);
        } catch (InterruptedException e) {
            // Gogo is being stopped, and who asked for that knows.
            status.set(INTERRUPTED);
        } catch (Exception e) {
            status.set(FAILED);
            print(e);
        }
    }

    /** The status of the last command that has failed, 0 if none has. */
    int status() {
        return status.get();
    }

    /** Ends what still runs in the background; how that ends does not count. */
    @Override
    public void close() {
        session.setJobListener(null);
        List.copyOf(session.jobs()).forEach(Job::interrupt);
        session.close();
    }

    private void jobChanged(Job job, Status previous, Status current) {
        if (current == Status.Done) {
            Result result = job.result();
            if (result != null && !result.isSuccess()) {
                status.set(Math.max(result.error(), FAILED));
                if (previous == Status.Background && result.exception() != null) {
                    print(result.exception());
                }
            }
        } else if (current == Status.Suspended) {
            // Gogo suspends a background job that uses the terminal; here it is what others would call a log.
            job.background();
        }
    }

    private void print(Exception failure) {
        err.println("verbena: " + (failure.getMessage() == null ? failure.toString() : failure.getMessage()));
    }
}
