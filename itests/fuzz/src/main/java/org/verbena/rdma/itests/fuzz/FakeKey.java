package org.verbena.rdma.itests.fuzz;

import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;

/** A key without a selector: what is of interest is asked by the fuzzer. */
final class FakeKey extends SelectionKey {
    private final FakeChannel channel;
    private int interest;

    FakeKey(FakeChannel channel) {
        this.channel = channel;
    }

    @Override
    public SelectableChannel channel() {
        return channel;
    }

    @Override
    public Selector selector() {
        throw new UnsupportedOperationException();
    }

    @Override
    public boolean isValid() {
        return channel.isOpen();
    }

    @Override
    public void cancel() {
        interest = 0;
    }

    @Override
    public int interestOps() {
        return interest;
    }

    @Override
    public SelectionKey interestOps(int operations) {
        interest = operations;
        return this;
    }

    @Override
    public int readyOps() {
        return interest;
    }
}
