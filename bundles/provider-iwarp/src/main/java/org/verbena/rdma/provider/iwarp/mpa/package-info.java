/** The set-up of a connection: what two sides say before the first frame, and what they agree on (RFC 5044, RFC 6581). */
package org.verbena.rdma.provider.iwarp.mpa;
