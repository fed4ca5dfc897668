package org.verbena.rdma.core.address;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.Inet6Address;
import java.net.InetAddress;
import org.junit.jupiter.api.Test;

class AddressKeyTest {
    @Test
    void onlyALinkLocalAddressKeepsItsScope() throws Exception {
        assertThat(canonical("2001:db8::1")).isEqualTo("2001:db8:0:0:0:0:0:1");
        assertThat(canonical("::1")).isEqualTo("0:0:0:0:0:0:0:1");
        assertThat(canonical("fe80::1")).isEqualTo("fe80:0:0:0:0:0:0:1%7");
        assertThat(AddressKey.canonical(InetAddress.getByName("192.0.2.1")).getHostAddress())
                .isEqualTo("192.0.2.1");
    }

    /** With the scope of an interface, as the operating system lists it. */
    private static String canonical(String text) throws Exception {
        byte[] bytes = InetAddress.getByName(text).getAddress();
        return AddressKey.canonical(Inet6Address.getByAddress(null, bytes, 7)).getHostAddress();
    }
}
