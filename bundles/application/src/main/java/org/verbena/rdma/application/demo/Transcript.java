package org.verbena.rdma.application.demo;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;

/** Takes what a program prints, line by line. */
final class Transcript extends OutputStream {
    private final List<Consumer<String>> readers = new CopyOnWriteArrayList<>();
    private final ByteArrayOutputStream line = new ByteArrayOutputStream();

    Transcript(Consumer<String> reader) {
        readers.add(reader);
    }

    @Override
    public synchronized void write(int octet) {
        if (octet == '\n') {
            String text = line.toString(UTF_8).stripTrailing();
            line.reset();
            readers.forEach(reader -> reader.accept(text));
        } else {
            line.write(octet);
        }
    }
}
