/**
 * The layouts of what goes over the wire, each as named offsets with the section of the RFC that draws it: MPA
 * (RFC 5044, RFC 6581), DDP (RFC 5041), RDMAP (RFC 5040). Nothing here keeps state or makes an object per frame; all
 * fields are big-endian, as buffers are.
 */
package org.verbena.rdma.provider.iwarp.wire;
