package org.verbena.rdma.itests.schedules;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.verbena.rdma.RdmaException;
import org.verbena.rdma.cm.CmEventType;
import org.verbena.rdma.core.Core;
import org.verbena.rdma.core.CoreConfiguration;
import org.verbena.rdma.core.cm.SearchedId;
import org.verbena.rdma.core.device.Device;
import org.verbena.rdma.core.device.DevicePublisher;
import org.verbena.rdma.core.device.DeviceRank;
import org.verbena.rdma.core.device.DeviceSlot;
import org.verbena.rdma.core.dispatch.Lane;
import org.verbena.rdma.core.dispatch.SearchedLane;
import org.verbena.rdma.core.guard.Gate;
import org.verbena.rdma.core.guard.Guard;
import org.verbena.rdma.core.session.CmVersion;
import org.verbena.rdma.core.session.Consumer;
import org.verbena.rdma.core.session.Session;
import org.verbena.rdma.core.session.SessionMember;

/** Who meets whom, and what must hold then. Each is run under many schedules, and throws if it does not hold. */
enum Protocol implements Runnable {
    /** Two producers, a destroyer, and a consumer that destroys its id in a callback and then throws. */
    DESTROY {
        @Override
        public void run() {
            StartedThreads threads = new StartedThreads();
            SearchedId[] id = new SearchedId[1];
            id[0] = new SearchedId(threads, event -> {
                if (event == CmEventType.ADDR_CHANGE) {
                    id[0].destroy();
                    throw new UnsupportedOperationException("thrown by the consumer");
                }
                return true;
            });
            threads.run(id[0]::addressResolved);
            threads.run(id[0]::addressChanged);
            threads.run(id[0]::destroy);
            threads.joinAll();
            id[0].requireDestroyed();
        }
    },

    /** The device is removed while a producer tells of two things and the consumer destroys the id. */
    REMOVAL {
        @Override
        public void run() {
            StartedThreads threads = new StartedThreads();
            SearchedId id = new SearchedId(threads, event -> event != CmEventType.DEVICE_REMOVAL);
            threads.run(() -> {
                id.addressResolved();
                id.addressChanged();
            });
            threads.run(id::remove);
            threads.run(id::destroy);
            threads.joinAll();
            id.requireDestroyed();
        }
    },

    /** The device is removed while a producer tells of something; the consumer takes no notice. */
    REMOVAL_IGNORED {
        @Override
        public void run() {
            StartedThreads threads = new StartedThreads();
            SearchedId id = new SearchedId(threads, event -> true);
            threads.run(id::addressChanged);
            threads.run(id::remove);
            threads.joinAll();
            id.requireDestroyed();
        }
    },

    /** Unregistration, a callback, a new id, the end of the consumer, a verb call and a close. */
    EVERYTHING {
        @Override
        public void run() {
            StartedThreads threads = new StartedThreads();
            Session session = new Session(new Consumer("consumer", 1, CmVersion.CURRENT, null));
            SearchedId id = new SearchedId(threads, event -> event != CmEventType.DEVICE_REMOVAL);
            SearchedId late = new SearchedId(threads, event -> true);
            Provider provider = new Provider();
            add(session, id);
            threads.run(id::addressChanged);
            threads.run(() -> {
                id.remove();
                provider.close();
            });
            threads.run(() -> {
                if (!add(session, late)) {
                    late.destroy();
                }
            });
            threads.run(() -> {
                session.markEnded();
                session.members().forEach(SessionMember::endWithSession);
                session.awaitMembers(Long.MAX_VALUE);
            });
            threads.run(provider::call);
            threads.run(id::destroy);
            threads.joinAll();
            id.requireDestroyed();
            late.requireDestroyed();
        }
    },

    /** Three turns are queued on a lane of width 1 by three threads. */
    LANE {
        @Override
        public void run() {
            StartedThreads threads = new StartedThreads();
            Lane lane = SearchedLane.on(threads);
            Watch watch = new Watch();
            AtomicInteger ran = new AtomicInteger();
            for (int i = 0; i < 3; i++) {
                threads.run(() -> lane.execute("turn", () -> {
                    try {
                        watch.begin("a turn");
                        ran.incrementAndGet();
                    } finally {
                        watch.end();
                    }
                }));
            }
            threads.joinAll();
            Watch.require(ran.get() == 3, "of 3 turns " + ran.get() + " have run, or two at a time");
        }
    },

    /**
     * Two devices of one name are offered, plugged, unplugged, looked at and taken away. With all of core and its threads,
     * whose waits end by time: for runs on the threads of the machine only.
     */
    PLUG {
        @Override
        public void run() {
            StartedThreads threads = new StartedThreads();
            Core core = new Core(UNHURRIED, new NoConsumers(), destination -> null);
            OfferedDevice one = new OfferedDevice();
            OfferedDevice other = new OfferedDevice();
            DeviceSlot slot = core.devices().offer(one.device(), new DeviceRank(0, 1));
            threads.run(() -> core.devices().offer(other.device(), new DeviceRank(0, 2)));
            threads.run(() -> plugAndUnplug(core));
            threads.run(() -> plugAndUnplug(core));
            threads.run(() -> core.monitor().snapshot());
            threads.run(() -> core.devices().withdraw(List.of(slot), "taken away"));
            threads.joinAll();
            core.stop();
            one.requireClosed();
            other.requireClosed();
        }
    };

    private static final CoreConfiguration UNHURRIED = new CoreConfiguration(
            Duration.ofMinutes(1),
            Duration.ofMinutes(1),
            Duration.ofMinutes(1),
            4,
            Duration.ofSeconds(1),
            Duration.ofSeconds(1));

    private static void plugAndUnplug(Core core) {
        for (int time = 0; time < 3; time++) {
            try {
                core.monitor().unplug("d0");
                core.monitor().plug("d0");
            } catch (RdmaException notThereNow) {
                Thread.yield();
            }
        }
    }

    /** Nobody to show a device to. */
    private static final class NoConsumers implements DevicePublisher {
        @Override
        public void publish(Device device) {}

        @Override
        public void update(Device device) {}

        @Override
        public void unpublish(Device device) {}
    }

    private static boolean add(Session session, SessionMember member) {
        try {
            session.add(member);
            return true;
        } catch (RdmaException ended) {
            return false;
        }
    }

    /** A provider's object, called through its gate, and freed when that is shut. */
    private static final class Provider {
        private final Guard guard = new Guard();
        private final Gate queue = new Gate("queue", new Gate("device"));
        private volatile boolean freed;

        void call() {
            if (guard.enter(queue)) {
                Watch.require(!freed, "inside of what is freed");
                guard.exit();
            }
        }

        /** Looks again and again who is inside: Lincheck cannot follow a wait that ends by time, as the guard's does. */
        void close() {
            guard.shut(queue);
            while (!guard.inside(queue).isEmpty()) {
                Thread.onSpinWait();
            }
            freed = true;
        }
    }
}
