/**
 * The natives that the DiSNI provider calls: librdmacm and libibverbs as they are, with nothing decided here.
 *
 * <p>A handle is the address of a native object. Unless a method says otherwise it returns a handle or 0 for success,
 * and the negated number of an error ({@code errno(3)}) for a failure. No native keeps a Java object, except that
 * registered memory keeps its buffer. Whoever holds a handle sees to it that it is freed once and not used afterwards.
 */
@org.osgi.annotation.bundle.Export
@org.osgi.annotation.versioning.Version("1.0.0")
package org.verbena.rdma.disni;
