package org.verbena.rdma.itests.schedules;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * Variants of core that are broken on purpose: made from core's own sources, so that they differ from them in the break
 * and in nothing else. Their classes go in front of core's on the class path of a search, which must then find the break.
 */
final class BrokenCore {
    private static final Path SOURCES = Path.of(System.getProperty("verbena.core.sources"));

    private BrokenCore() {}

    /** Compiles a variant; returns the folder with its classes. */
    static Path compile(String name, Collection<Break> breaks) throws IOException {
        Path folder = Searches.target().resolve("broken").resolve(name);
        Path classes = Files.createDirectories(folder.resolve("classes"));
        List<Path> files = write(folder.resolve("sources"), breaks);
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter messages = new StringWriter();
        try (StandardJavaFileManager manager = compiler.getStandardFileManager(null, null, null)) {
            boolean compiled = compiler.getTask(
                            messages,
                            manager,
                            null,
                            List.of("-proc:none", "-cp", Searches.classPath(), "-d", classes.toString()),
                            null,
                            manager.getJavaFileObjectsFromPaths(files))
                    .call();
            if (!compiled) {
                throw new IllegalStateException("variant " + name + " does not compile: " + messages);
            }
        }
        return classes;
    }

    private static List<Path> write(Path folder, Collection<Break> breaks) throws IOException {
        Map<String, String> texts = new LinkedHashMap<>();
        for (Break at : breaks) {
            String text = texts.containsKey(at.source())
                    ? texts.get(at.source())
                    : Files.readString(SOURCES.resolve(at.source()));
            int first = text.indexOf(at.original());
            if (first < 0 || text.indexOf(at.original(), first + 1) >= 0) {
                throw new IllegalStateException("the text is not exactly once in " + at.source()
                        + ", so that the break must be adapted to it: " + at.original());
            }
            texts.put(at.source(), text.replace(at.original(), at.broken()));
        }
        List<Path> files = new java.util.ArrayList<>();
        for (Map.Entry<String, String> text : texts.entrySet()) {
            Path file = folder.resolve(text.getKey());
            Files.createDirectories(file.getParent());
            files.add(Files.writeString(file, text.getValue()));
        }
        return files;
    }
}
