package org.verbena.rdma.provider.disni.scripted;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.verbena.rdma.disni.ConnectionNatives;
import org.verbena.rdma.disni.VerbsNatives;
import org.verbena.rdma.provider.disni.natives.Natives;

/**
 * Stands for libdisni. A native that makes something returns a new handle, any other succeeds, and a test says what else
 * shall happen. Memory is handed over by made-up addresses; what a test raises is found by who waits for it.
 *
 * <p>Everything that waiting depends on is guarded by this object's monitor.
 */
public final class ScriptedNatives implements InvocationHandler {
    private static final int AGAIN = -11;
    private static final int CHANNEL_DESCRIPTOR = 101;
    private static final int ASYNC_DESCRIPTOR = 102;
    private static final int COMPLETION_DESCRIPTOR = 103;
    private static final int FIRST_WAKER = 200;

    /** A call that was made. */
    public record Call(String name, List<Object> arguments) {
        public long longArgument(int index) {
            return (Long) arguments.get(index);
        }

        public int intArgument(int index) {
            return (Integer) arguments.get(index);
        }
    }

    private final Map<String, Function<Object[], Object>> answers = new ConcurrentHashMap<>();
    private final List<Call> calls = new CopyOnWriteArrayList<>();
    private final AtomicLong handles = new AtomicLong(1000);
    private final Map<Long, ByteBuffer> memory = new ConcurrentHashMap<>();

    private final Queue<byte[]> events = new ArrayDeque<>();
    private final Queue<int[]> asyncEvents = new ArrayDeque<>();
    private final Queue<Long> completionEvents = new ArrayDeque<>();
    private final Map<Long, Queue<byte[]>> completions = new HashMap<>();
    private final List<Integer> awake = new ArrayList<>();
    private int wakers = FIRST_WAKER;

    private final Natives natives = new Natives(
            (VerbsNatives)
                    Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {VerbsNatives.class}, this),
            (ConnectionNatives) Proxy.newProxyInstance(
                    getClass().getClassLoader(), new Class<?>[] {ConnectionNatives.class}, this));

    public ScriptedNatives() {
        answer("device", arguments -> "test0");
        answer("networkInterface", arguments -> "lo");
        answer("queryDevice", arguments -> {
            long[] attributes = (long[]) arguments[1];
            Arrays.fill(attributes, 16);
            attributes[VerbsNatives.DEVICE_TRANSPORT] = 0;
            attributes[VerbsNatives.DEVICE_PORTS] = 1;
            return 0;
        });
        answer("queryPort", arguments -> {
            long[] attributes = (long[]) arguments[2];
            attributes[VerbsNatives.PORT_STATE] = 4;
            attributes[VerbsNatives.PORT_LINK_LAYER] = 2;
            return 0;
        });
        answer("queuePairState", arguments -> 3);
        answer("localAddress", arguments -> address((byte[]) arguments[1], 1, 4711));
        answer("peerAddress", arguments -> address((byte[]) arguments[1], 2, 4712));
        answer("createCompletionQueue", arguments -> {
            ((int[]) arguments[4])[0] = (Integer) arguments[1];
            return handles.incrementAndGet();
        });
        answer("createQueuePair", arguments -> {
            ((int[]) arguments[4])[VerbsNatives.QP_NUMBER] = 77;
            return handles.incrementAndGet();
        });
    }

    private static Object address(byte[] record, int last, int port) {
        ByteBuffer.wrap(record).put(0, (byte) 4).putShort(2, (short) port).put(8, new byte[] {10, 0, 0, (byte) last});
        return null;
    }

    public Natives natives() {
        return natives;
    }

    /** Says what a native does from now on. */
    public void answer(String name, Function<Object[], Object> what) {
        answers.put(name, what);
    }

    /** Says what a native returns from now on. */
    public void answer(String name, int result) {
        answers.put(name, arguments -> result);
    }

    /** Returns the calls of one native so far. */
    public List<Call> calls(String name) {
        return calls.stream().filter(call -> call.name().equals(name)).toList();
    }

    /** Returns the names of all calls so far, but for waiting and asking. */
    public List<String> names() {
        return calls.stream().map(Call::name).toList();
    }

    public Call lastCall(String name) {
        List<Call> found = calls(name);
        if (found.isEmpty()) {
            throw new AssertionError(name + " was not called: " + names());
        }
        return found.get(found.size() - 1);
    }

    /** Returns the token that the last id was made with. */
    public long lastToken() {
        return lastCall("createId").longArgument(2);
    }

    // What happens

    /** An event of librdmacm without parameters. */
    public void raise(int type, int status, long token) {
        raise(type, status, token, 0, new byte[0]);
    }

    public synchronized void raise(int type, int status, long token, long newId, byte[] privateData) {
        ByteBuffer record = ByteBuffer.allocate(ConnectionNatives.EVENT_BYTES).order(ByteOrder.nativeOrder());
        record.putInt(ConnectionNatives.EVENT_TYPE, type)
                .putInt(ConnectionNatives.EVENT_STATUS, status)
                .putLong(ConnectionNatives.EVENT_TOKEN, token)
                .putLong(ConnectionNatives.EVENT_NEW_ID, newId)
                .putInt(ConnectionNatives.EVENT_RESPONDER_RESOURCES, 3)
                .putInt(ConnectionNatives.EVENT_INITIATOR_DEPTH, 5)
                .putInt(ConnectionNatives.EVENT_PRIVATE_LENGTH, privateData.length)
                .put(ConnectionNatives.EVENT_PRIVATE_DATA, privateData);
        events.add(record.array());
        notifyAll();
    }

    public synchronized void raiseAsync(int type, int element) {
        asyncEvents.add(new int[] {type, element});
        notifyAll();
    }

    public synchronized void raiseCompletionEvent(long token) {
        completionEvents.add(token);
        notifyAll();
    }

    /** A completion in a queue. */
    public synchronized void complete(long queue, long number, int status, int operation, int bytes, int flags) {
        ByteBuffer record = ByteBuffer.allocate(VerbsNatives.COMPLETION_BYTES).order(ByteOrder.nativeOrder());
        record.putLong(number)
                .putInt(status)
                .putInt(operation)
                .putInt(bytes)
                .putInt(77)
                .putInt(flags)
                .putInt(0x1234)
                .putInt(9);
        completions.computeIfAbsent(queue, key -> new ArrayDeque<>()).add(record.array());
    }

    /** Returns the memory that was handed over by an address. */
    public ByteBuffer memoryAt(long address) {
        return memory.get(address);
    }

    /** Waits until everything raised was taken by who waits for events. */
    public synchronized void awaitTaken() throws InterruptedException {
        while (!events.isEmpty() || !asyncEvents.isEmpty() || !completionEvents.isEmpty()) {
            wait();
        }
    }

    /** Waits until a native was called so many times. */
    public synchronized void awaitCalls(String name, int count) throws InterruptedException {
        while (calls(name).size() < count) {
            wait();
        }
    }

    private synchronized void called(Call call) {
        calls.add(call);
        notifyAll();
    }

    // The natives

    @Override
    public Object invoke(Object proxy, Method method, Object[] given) {
        Object[] arguments = given == null ? new Object[0] : given;
        String name = method.getName();
        if (method.getDeclaringClass() == Object.class) {
            return "toString".equals(name) ? "scripted" : "hashCode".equals(name) ? (Object) 1 : proxy == arguments[0];
        }
        Object waited = waiting(name, arguments);
        if (waited != null) {
            return waited;
        }
        called(new Call(name, Arrays.asList(arguments)));
        Function<Object[], Object> answer = answers.get(name);
        if (answer != null) {
            return answer.apply(arguments);
        }
        if (method.getReturnType() == long.class) {
            return handles.incrementAndGet();
        }
        return method.getReturnType() == int.class ? 0 : null;
    }

    private Object waiting(String name, Object[] arguments) {
        return switch (name) {
            case "address" -> {
                long address = handles.addAndGet(0x10000);
                memory.put(address, ((ByteBuffer) arguments[0]).duplicate().order(ByteOrder.nativeOrder()));
                yield address;
            }
            case "channelDescriptor" -> CHANNEL_DESCRIPTOR;
            case "asyncDescriptor" -> ASYNC_DESCRIPTOR;
            case "completionDescriptor" -> COMPLETION_DESCRIPTOR;
            case "createWaker" -> newWaker();
            case "wake" -> wake((Integer) arguments[0]);
            case "calm" -> calm((Integer) arguments[0]);
            case "await" -> await((Integer) arguments[0], (Integer) arguments[1], (Integer) arguments[2]);
            case "readEvent" -> readEvent((Long) arguments[1]);
            case "readAsyncEvent" -> readAsyncEvent((int[]) arguments[1]);
            case "readCompletionEvent" -> readCompletionEvent();
            case "poll" -> poll((Long) arguments[0], (Long) arguments[1], (Integer) arguments[2]);
            default -> null;
        };
    }

    private synchronized int newWaker() {
        return wakers++;
    }

    private synchronized int wake(int waker) {
        awake.add(waker);
        notifyAll();
        return 0;
    }

    private synchronized int calm(int waker) {
        awake.removeIf(each -> each == waker);
        return 0;
    }

    private synchronized int await(int first, int second, int waker) {
        while (true) {
            int ready = (isReadable(first) ? 1 : 0) | (isReadable(second) ? 2 : 0) | (awake.contains(waker) ? 4 : 0);
            if (ready != 0) {
                return ready;
            }
            try {
                wait();
            } catch (InterruptedException nobodys) {
                throw new IllegalStateException(nobodys);
            }
        }
    }

    private boolean isReadable(int descriptor) {
        return switch (descriptor) {
            case CHANNEL_DESCRIPTOR -> !events.isEmpty();
            case ASYNC_DESCRIPTOR -> !asyncEvents.isEmpty();
            case COMPLETION_DESCRIPTOR -> !completionEvents.isEmpty();
            default -> false;
        };
    }

    private synchronized int readEvent(long address) {
        byte[] event = events.poll();
        if (event == null) {
            return AGAIN;
        }
        memory.get(address).put(0, event);
        notifyAll();
        return 0;
    }

    private synchronized int readAsyncEvent(int[] to) {
        int[] event = asyncEvents.poll();
        if (event == null) {
            return AGAIN;
        }
        System.arraycopy(event, 0, to, 0, 2);
        notifyAll();
        return 0;
    }

    private synchronized long readCompletionEvent() {
        Long token = completionEvents.poll();
        notifyAll();
        return token == null ? AGAIN : token;
    }

    private synchronized int poll(long queue, long address, int max) {
        Queue<byte[]> waiting = completions.getOrDefault(queue, new ArrayDeque<>());
        int count = 0;
        while (count < max && !waiting.isEmpty()) {
            memory.get(address).put(count * VerbsNatives.COMPLETION_BYTES, waiting.poll());
            count++;
        }
        return count;
    }
}
