package org.verbena.rdma.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** What a newcomer reads first is what the build compiles and tries. */
class ReadmeTest {
    private static final Path README = Path.of("../../README.md");
    private static final Path SOURCE = Path.of("src/main/java/org/verbena/rdma/examples/Blackboard.java");

    @Test
    void quotesTheExample() throws Exception {
        String source = Files.readString(SOURCE);

        assertThat(Files.readString(README)).contains("```java\n" + source.substring(source.indexOf("/**")) + "```\n");
    }
}
