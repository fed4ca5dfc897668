package org.verbena.rdma.console.servlet;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpSession;

/**
 * What only a page of ours can know of a session, so that another site's page cannot make a browser that is logged in here
 * change something.
 */
final class ForgeryToken {
    /** The request header that brings it. */
    static final String HEADER = "X-Verbena-Token";

    private static final String ATTRIBUTE = ForgeryToken.class.getName();
    private static final int BYTES = 32;

    private final SecureRandom random = new SecureRandom();

    /** The token of a session, made when it is first asked for. */
    String of(HttpSession session) {
        synchronized (this) {
            String token = (String) session.getAttribute(ATTRIBUTE);
            if (token == null) {
                byte[] bytes = new byte[BYTES];
                random.nextBytes(bytes);
                token = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
                session.setAttribute(ATTRIBUTE, token);
            }
            return token;
        }
    }

    /** Tells whether a request has brought the token of its session. */
    boolean isIn(HttpServletRequest request) {
        HttpSession session = request.getSession(false);
        String token = session == null ? null : (String) session.getAttribute(ATTRIBUTE);
        String brought = request.getHeader(HEADER);
        return token != null
                && brought != null
                && MessageDigest.isEqual(token.getBytes(US_ASCII), brought.getBytes(US_ASCII));
    }
}
