package org.verbena.rdma.disni;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.ibm.disni.util.MemoryUtils;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Every native method of DiSNI's classes and of ours is in each library that was built. */
class ExportedSymbolsTest {
    private static final List<String> DISNI =
            List.of("com.ibm.disni.verbs.impl.NativeDispatcher", "com.ibm.disni.util.NativeAffinity");

    @ParameterizedTest
    @ValueSource(strings = {"linux-x86-64", "linux-aarch64"})
    void libraryHasEveryNative(String processor) throws Exception {
        Path library = Path.of(System.getProperty("verbena.native"), processor, "libdisni.so");
        assumeTrue(Files.isRegularFile(library), library + " was not built");
        String content = content(library);

        List<String> natives = new ArrayList<>();
        for (String name : DISNI) {
            // Not initialized, since that loads the library of this machine's processor.
            natives.addAll(natives(Class.forName(name, false, MemoryUtils.class.getClassLoader())));
        }
        natives.addAll(natives(LibDisni.class));
        natives.addAll(natives(
                Class.forName(MemoryUtils.class.getName(), false, getClass().getClassLoader())));

        assertThat(natives).hasSizeGreaterThan(50 + 60);
        assertThat(natives).allSatisfy(symbol -> assertThat(content).contains('\0' + symbol + '\0'));
    }

    private static List<String> natives(Class<?> type) {
        return Stream.of(type.getDeclaredMethods())
                .filter(method -> Modifier.isNative(method.getModifiers()))
                .map(ExportedSymbolsTest::symbol)
                .toList();
    }

    /** The short form of the Java Native Interface: an underscore of a name becomes _1. */
    private static String symbol(Method method) {
        String[] names = (method.getDeclaringClass().getName() + "." + method.getName()).split("\\.");
        return "Java_"
                + String.join(
                        "_",
                        Arrays.stream(names)
                                .map(name -> name.replace("_", "_1"))
                                .toList());
    }

    private static String content(Path library) throws IOException {
        return new String(Files.readAllBytes(library), StandardCharsets.ISO_8859_1);
    }
}
