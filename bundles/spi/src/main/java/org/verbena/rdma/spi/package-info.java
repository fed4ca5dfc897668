/**
 * What a provider implements to bring devices, and what core offers to it.
 *
 * <p>A provider registers one {@link org.verbena.rdma.spi.ProviderDevice} service per device and unregisters it when the
 * device goes. It turns one kind of device into these interfaces and holds no policy: core serializes callbacks, keeps
 * the states that a consumer sees, owns the ports, and takes consumers away before the device.
 *
 * <p>The rules, for all types here:
 *
 * <ul>
 *   <li>No call waits for a peer or for an event. The outcome is an upcall. A provider whose lower layer blocks uses a
 *       bounded set of threads of its own.
 *   <li>Upcalls never block, may be made on any thread, also inside a call, and are taken at any time: late and duplicate
 *       ones do no harm. One connection's upcalls are made one at a time, in the order in which things happened.
 *   <li>A provider holds no lock of its own while it makes an upcall that it also takes in a call.
 *   <li>Core calls no {@code close} concurrently with another call on the same object, nor another call after it.
 *       Objects are closed children first. {@code close} does not throw for a device that has failed.
 *   <li>Core has checked arguments against the attributes of the device before it calls, never {@code null} unless said.
 * </ul>
 *
 * <p>Versions: 1.1 has brought {@link org.verbena.rdma.spi.ListenerUpcalls#addressChanged}. A provider built against 1.0
 * runs on unchanged, and its listeners never tell it. One that puts its own implementation of an upcall interface between
 * itself and core implements a provider type, so that its import ends before the next minor version: it is built anew.
 */
@Export
@Version("1.1.0")
package org.verbena.rdma.spi;

import org.osgi.annotation.bundle.Export;
import org.osgi.annotation.versioning.Version;
