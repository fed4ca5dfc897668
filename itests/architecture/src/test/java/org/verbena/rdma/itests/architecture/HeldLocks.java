// SPDX-License-Identifier: Apache-2.0
package org.verbena.rdma.itests.architecture;

import static org.objectweb.asm.Opcodes.ACC_INTERFACE;
import static org.objectweb.asm.Opcodes.ACC_SYNCHRONIZED;
import static org.objectweb.asm.Opcodes.IFEQ;
import static org.objectweb.asm.Opcodes.IFNE;
import static org.objectweb.asm.Opcodes.INVOKESPECIAL;
import static org.objectweb.asm.Opcodes.INVOKESTATIC;
import static org.objectweb.asm.Opcodes.IRETURN;
import static org.objectweb.asm.Opcodes.MONITORENTER;
import static org.objectweb.asm.Opcodes.MONITOREXIT;
import static org.objectweb.asm.Opcodes.RETURN;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.Handle;
import org.objectweb.asm.Opcodes;
import org.objectweb.asm.Type;
import org.objectweb.asm.tree.AbstractInsnNode;
import org.objectweb.asm.tree.AnnotationNode;
import org.objectweb.asm.tree.ClassNode;
import org.objectweb.asm.tree.InvokeDynamicInsnNode;
import org.objectweb.asm.tree.LineNumberNode;
import org.objectweb.asm.tree.MethodInsnNode;
import org.objectweb.asm.tree.MethodNode;
import org.objectweb.asm.tree.TryCatchBlockNode;
import org.objectweb.asm.tree.analysis.Analyzer;
import org.objectweb.asm.tree.analysis.AnalyzerException;
import org.objectweb.asm.tree.analysis.Frame;
import org.objectweb.asm.tree.analysis.SourceInterpreter;
import org.objectweb.asm.tree.analysis.SourceValue;

/**
 * Finds calls into other people's code that are made while a monitor or an exclusive lock is held. The calls are
 * followed through the classes looked at, overridden methods and lambdas included, so it does not matter how far below
 * the lock the call is.
 *
 * <p>Other people's code is, for core: what consumers and providers implement (the {@code @ConsumerType} interfaces of
 * api and spi, and {@code Runnable}, which consumers hand in through the api), and completing a
 * {@code CompletableFuture}, whose dependent stages run on the spot. For core and for every other bundle: the service
 * registry, whose listeners run on the spot too.
 *
 * <p>What it cannot see: locks that are none of the JDK's, and exclusion made of other parts (a semaphore of one permit,
 * a queue of one turn).
 */
final class HeldLocks {
    private static final String LOCKS = "java/util/concurrent/locks/";
    private static final Set<String> FUTURE_COMPLETIONS =
            Set.of("complete", "completeExceptionally", "cancel", "obtrudeValue", "obtrudeException");
    private static final Set<String> LIFECYCLE = Set.of("start", "stop", "update", "uninstall");
    /** Of these nothing but what only reads fields of the framework may be called under a lock. */
    private static final Map<String, Set<String>> REGISTRY = Map.of(
            "org/osgi/framework/BundleContext", Set.of("getBundle", "getBundles", "getProperty"),
            "org/osgi/framework/ServiceRegistration", Set.of("getReference"),
            "org/osgi/framework/ServiceObjects", Set.of("getServiceReference"),
            "org/osgi/util/tracker/ServiceTracker",
                    Set.of("getService", "getServices", "getTracked", "getTrackingCount", "isEmpty", "size"),
            "org/osgi/service/component/ComponentContext", Set.of("getProperties", "getUsingBundle"));

    private record Method(String owner, String name, String descriptor) {
        @Override
        public String toString() {
            return simpleName(owner) + "." + name;
        }
    }

    private record Call(Method target, boolean exact, boolean locked, int line) {}

    private record Lambda(String type, String name, Method body, boolean exact) {}

    private record Step(String why, Optional<Method> next) {}

    private final boolean registryOnly;
    private final Map<String, ClassNode> classes = new LinkedHashMap<>();
    private final Map<String, Optional<ClassNode>> others = new HashMap<>();
    private final Map<Method, List<Call>> calls = new LinkedHashMap<>();
    private final List<Lambda> lambdas = new ArrayList<>();
    private final Set<String> violations = new TreeSet<>();

    private HeldLocks(boolean registryOnly) {
        this.registryOnly = registryOnly;
    }

    /**
     * Looks at all classes below a folder.
     *
     * @param folder where compiled classes are
     * @return a sentence for each call into a consumer, a provider or the registry
     */
    static Set<String> acrossForeignCalls(Path folder) {
        return new HeldLocks(false).violationsIn(folder);
    }

    /**
     * Looks at all classes below a folder.
     *
     * @param folder where compiled classes are
     * @return a sentence for each call into the registry
     */
    static Set<String> acrossTheRegistry(Path folder) {
        return new HeldLocks(true).violationsIn(folder);
    }

    private Set<String> violationsIn(Path folder) {
        read(folder);
        classes.values().forEach(type -> type.methods.forEach(method -> analyze(type, method)));
        judge();
        return violations;
    }

    private void read(Path folder) {
        try (Stream<Path> files = Files.walk(folder)) {
            for (Path file : (Iterable<Path>)
                    files.filter(f -> f.toString().endsWith(".class")).sorted()::iterator) {
                ClassNode type = new ClassNode();
                new ClassReader(Files.readAllBytes(file)).accept(type, ClassReader.SKIP_FRAMES);
                classes.put(type.name, type);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    // ---- one method: which calls it makes, and whether it holds a lock there

    private void analyze(ClassNode type, MethodNode node) {
        Method method = new Method(type.name, node.name, node.desc);
        List<Call> found = calls.computeIfAbsent(method, m -> new ArrayList<>());
        if (node.instructions.size() == 0) {
            return;
        }
        List<List<Integer>> successors = new ArrayList<>();
        node.instructions.forEach(i -> successors.add(new ArrayList<>()));
        Frame<SourceValue>[] frames = flow(type, node, successors);
        boolean isSynchronized = (node.access & ACC_SYNCHRONIZED) != 0;
        int[] depths = depths(node, successors, frames, isSynchronized ? 1 : 0);
        int line = 0;
        for (int i = 0; i < depths.length; i++) {
            AbstractInsnNode instruction = node.instructions.get(i);
            if (instruction instanceof LineNumberNode number) {
                line = number.line;
            }
            if (frames[i] == null) {
                continue; // never reached
            }
            boolean locked = depths[i] > 0;
            if (instruction instanceof MethodInsnNode call) {
                boolean exact = call.getOpcode() == INVOKESTATIC || call.getOpcode() == INVOKESPECIAL;
                found.add(new Call(new Method(call.owner, call.name, call.desc), exact, locked, line));
                for (Lambda lambda : calledAtOnce(call, frames[i])) {
                    found.add(new Call(lambda.body(), lambda.exact(), locked, line));
                }
            } else if (instruction instanceof InvokeDynamicInsnNode dynamic) {
                lambda(dynamic).ifPresent(lambdas::add);
            }
            int opcode = instruction.getOpcode();
            boolean returns = opcode >= IRETURN && opcode <= RETURN;
            if (returns && depths[i] > (isSynchronized ? 1 : 0) && !registryOnly) {
                violations.add(method + ":" + line + " returns with a lock held, where this rule loses sight of it");
            }
        }
    }

    private static Frame<SourceValue>[] flow(ClassNode type, MethodNode node, List<List<Integer>> successors) {
        try {
            return new Analyzer<>(new SourceInterpreter()) {
                @Override
                protected void newControlFlowEdge(int from, int to) {
                    successors.get(from).add(to);
                }

                @Override
                protected boolean newControlFlowExceptionEdge(int from, TryCatchBlockNode handler) {
                    // A call that threw did not take its lock; one that gives it back is believed to have done so.
                    if (lockChange(node.instructions.get(from), null) == 0 && isFirstToCatch(handler, from, node)) {
                        successors.get(from).add(node.instructions.indexOf(handler.handler));
                    }
                    return true;
                }
            }.analyze(type.name, node);
        } catch (AnalyzerException e) {
            throw new IllegalStateException(type.name + "." + node.name, e);
        }
    }

    /** A handler of everything, as the compiler puts around a synchronized block, leaves nothing to those around it. */
    private static boolean isFirstToCatch(TryCatchBlockNode handler, int from, MethodNode node) {
        return node.tryCatchBlocks.stream()
                .takeWhile(earlier -> earlier != handler)
                .noneMatch(earlier -> earlier.type == null
                        && node.instructions.indexOf(earlier.start) <= from
                        && from < node.instructions.indexOf(earlier.end));
    }

    /** How many locks may be held before each instruction. */
    private static int[] depths(
            MethodNode node, List<List<Integer>> successors, Frame<SourceValue>[] frames, int atStart) {
        int[] depths = new int[node.instructions.size()];
        Arrays.fill(depths, -1);
        Deque<Integer> work = new ArrayDeque<>();
        depths[0] = atStart;
        work.add(0);
        while (!work.isEmpty()) {
            int i = work.remove();
            AbstractInsnNode instruction = node.instructions.get(i);
            int change = frames[i] == null ? 0 : lockChange(instruction, frames[i]);
            for (int next : successors.get(i)) {
                int after = Math.max(0, depths[i] + change);
                if (isTryLock(instruction)) {
                    after = depths[i]; // decided by the jump that follows
                } else if (isTryLock(previous(instruction))) {
                    boolean jumped = node.instructions.get(next) != instruction.getNext();
                    int opcode = instruction.getOpcode();
                    boolean taken = opcode == IFNE ? jumped : opcode != IFEQ || !jumped;
                    after = depths[i] + (taken ? 1 : 0);
                }
                if (after > depths[next] && after < 10) {
                    depths[next] = after;
                    work.add(next);
                }
            }
        }
        return depths;
    }

    private static int lockChange(AbstractInsnNode instruction, Frame<SourceValue> frame) {
        if (instruction.getOpcode() == MONITORENTER) {
            return 1;
        }
        if (instruction.getOpcode() == MONITOREXIT) {
            return -1;
        }
        if (!(instruction instanceof MethodInsnNode call) || !call.owner.startsWith(LOCKS) || isShared(call, frame)) {
            return 0;
        }
        return switch (call.name) {
            case "lock", "lockInterruptibly", "writeLock", "writeLockInterruptibly" ->
                call.owner.endsWith("/StampedLock") || call.name.startsWith("lock") ? 1 : 0;
            case "unlock", "unlockWrite", "tryUnlockWrite" -> -1;
            default -> 0;
        };
    }

    private static boolean isTryLock(AbstractInsnNode instruction) {
        return instruction instanceof MethodInsnNode call
                && call.owner.startsWith(LOCKS)
                && call.name.equals("tryLock")
                && !call.owner.endsWith("$ReadLock");
    }

    /** A read lock excludes no other reader. */
    private static boolean isShared(MethodInsnNode call, Frame<SourceValue> frame) {
        if (call.owner.endsWith("$ReadLock")) {
            return true;
        }
        if (frame == null || frame.getStackSize() == 0) {
            return false;
        }
        int receiver = frame.getStackSize() - Type.getArgumentTypes(call.desc).length - 1;
        return receiver >= 0
                && frame.getStack(receiver).insns.stream()
                        .allMatch(from -> from instanceof MethodInsnNode maker && maker.name.equals("readLock"));
    }

    private static AbstractInsnNode previous(AbstractInsnNode instruction) {
        AbstractInsnNode previous = instruction.getPrevious();
        while (previous != null && previous.getOpcode() < 0) {
            previous = previous.getPrevious();
        }
        return instruction.getOpcode() < 0 ? null : previous;
    }

    // ---- lambdas

    private static Optional<Lambda> lambda(InvokeDynamicInsnNode dynamic) {
        return Arrays.stream(dynamic.bsmArgs)
                .filter(Handle.class::isInstance)
                .map(Handle.class::cast)
                .findFirst()
                .filter(handle -> dynamic.bsm.getOwner().equals("java/lang/invoke/LambdaMetafactory"))
                .map(handle -> new Lambda(
                        Type.getReturnType(dynamic.desc).getInternalName(),
                        dynamic.name,
                        new Method(handle.getOwner(), handle.getName(), handle.getDesc()),
                        handle.getTag() != Opcodes.H_INVOKEVIRTUAL && handle.getTag() != Opcodes.H_INVOKEINTERFACE));
    }

    /** The lambdas that a method of the JDK gets and runs before it returns, as {@code forEach} does. */
    private static List<Lambda> calledAtOnce(MethodInsnNode call, Frame<SourceValue> frame) {
        boolean later = call.owner.contains("Executor")
                || call.owner.startsWith("java/lang/Thread")
                || call.owner.endsWith("/ThreadLocal")
                || call.name.endsWith("Async")
                || call.name.equals("add")
                || call.name.equals("offer")
                || call.name.equals("put")
                || call.name.equals("set");
        if (!call.owner.startsWith("java/") || later) {
            return List.of();
        }
        List<Lambda> found = new ArrayList<>();
        int arguments = Type.getArgumentTypes(call.desc).length;
        for (int a = 1; a <= arguments; a++) {
            frame.getStack(frame.getStackSize() - a).insns.stream()
                    .filter(InvokeDynamicInsnNode.class::isInstance)
                    .flatMap(from -> lambda((InvokeDynamicInsnNode) from).stream())
                    .forEach(found::add);
        }
        return found;
    }

    // ---- all methods together

    private void judge() {
        Map<Method, Step> foreign = new HashMap<>();
        boolean more = true;
        while (more) {
            more = false;
            for (Map.Entry<Method, List<Call>> entry : calls.entrySet()) {
                if (!foreign.containsKey(entry.getKey())) {
                    Optional<Step> step = entry.getValue().stream()
                            .flatMap(call -> leavesBy(call, foreign).stream())
                            .findFirst();
                    step.ifPresent(s -> foreign.put(entry.getKey(), s));
                    more |= step.isPresent();
                }
            }
        }
        calls.forEach((method, made) -> made.stream().filter(Call::locked).forEach(call -> leavesBy(call, foreign)
                .ifPresent(step -> violations.add(
                        method + ":" + call.line() + " holds a lock and calls " + path(step, foreign)))));
    }

    private Optional<Step> leavesBy(Call call, Map<Method, Step> foreign) {
        if (isForeign(call.target())) {
            return Optional.of(new Step(call.target().toString(), Optional.empty()));
        }
        return targets(call)
                .filter(target -> isForeign(target) || foreign.containsKey(target))
                .findFirst()
                .map(target -> new Step(target.toString(), Optional.of(target).filter(foreign::containsKey)));
    }

    private static String path(Step first, Map<Method, Step> foreign) {
        StringBuilder path = new StringBuilder(first.why());
        for (Optional<Method> at = first.next(); at.isPresent(); ) {
            Step step = foreign.get(at.get());
            path.append(" > ").append(step.why());
            at = step.next();
        }
        return path.toString();
    }

    /** The methods among the classes looked at that a call may end up in. */
    private Stream<Method> targets(Call call) {
        Method target = call.target();
        if (call.exact()) {
            return Stream.of(target);
        }
        Stream<Method> bodies = lambdas.stream()
                .filter(lambda ->
                        lambda.type().equals(target.owner()) && lambda.name().equals(target.name()))
                .flatMap(lambda -> lambda.exact()
                        ? Stream.of(lambda.body())
                        : Stream.concat(Stream.of(lambda.body()), implementations(lambda.body())));
        return Stream.concat(implementations(target), bodies);
    }

    private Stream<Method> implementations(Method target) {
        Stream<String> inherited = ancestors(target.owner());
        Stream<String> overriding =
                classes.keySet().stream().filter(name -> ancestors(name).anyMatch(target.owner()::equals));
        return Stream.concat(inherited, overriding)
                .distinct()
                .map(owner -> new Method(owner, target.name(), target.descriptor()))
                .filter(calls::containsKey);
    }

    private boolean isForeign(Method target) {
        String owner = target.owner();
        if (owner.equals("org/osgi/framework/Bundle")) {
            return LIFECYCLE.contains(target.name());
        }
        if (REGISTRY.containsKey(owner)) {
            return !REGISTRY.get(owner).contains(target.name());
        }
        if (registryOnly) {
            return false;
        }
        if (owner.equals("java/lang/Runnable")) {
            return true;
        }
        if (owner.equals("java/util/concurrent/CompletableFuture")) {
            return FUTURE_COMPLETIONS.contains(target.name());
        }
        return owner.startsWith("org/verbena/rdma/")
                && node(owner).filter(HeldLocks::isImplementedByOthers).isPresent();
    }

    private static boolean isImplementedByOthers(ClassNode type) {
        List<AnnotationNode> annotations = type.invisibleAnnotations == null ? List.of() : type.invisibleAnnotations;
        return (type.access & ACC_INTERFACE) != 0
                && annotations.stream().anyMatch(a -> a.desc.equals("Lorg/osgi/annotation/versioning/ConsumerType;"));
    }

    /** A type, its superclasses and all their interfaces, as far as they are the project's own. */
    private Stream<String> ancestors(String name) {
        return node(name)
                .map(type -> Stream.concat(
                        Stream.of(name),
                        Stream.concat(Stream.ofNullable(type.superName), type.interfaces.stream())
                                .flatMap(this::ancestors)))
                .orElse(Stream.of(name));
    }

    private Optional<ClassNode> node(String name) {
        ClassNode known = classes.get(name);
        if (known != null) {
            return Optional.of(known);
        }
        return others.computeIfAbsent(name, HeldLocks::load);
    }

    private static Optional<ClassNode> load(String name) {
        if (!name.startsWith("org/verbena/")) {
            return Optional.empty();
        }
        try (InputStream in = HeldLocks.class.getResourceAsStream("/" + name + ".class")) {
            if (in == null) {
                return Optional.empty();
            }
            ClassNode type = new ClassNode();
            new ClassReader(in).accept(type, ClassReader.SKIP_CODE);
            return Optional.of(type);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String simpleName(String internalName) {
        return internalName.substring(internalName.lastIndexOf('/') + 1);
    }
}
