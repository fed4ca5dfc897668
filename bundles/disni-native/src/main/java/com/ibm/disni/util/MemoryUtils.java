package com.ibm.disni.util;

import java.nio.ByteBuffer;

/**
 * Takes the place of the class of this name in DiSNI's jar, which reads addresses through a class that the JDK does not
 * open any more since version 16.
 */
public class MemoryUtils {
    static {
        System.loadLibrary("disni");
    }

    private MemoryUtils() {}

    /**
     * Returns where the memory of a buffer begins.
     *
     * @param buffer a direct buffer
     * @return the address
     */
    public static long getAddress(ByteBuffer buffer) {
        return address(buffer);
    }

    private static native long address(ByteBuffer buffer);
}
