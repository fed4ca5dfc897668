// SPDX-License-Identifier: Apache-2.0
package org.verbena.rdma.itests.peers;

import com.ibm.disni.verbs.IbvCQ;
import com.ibm.disni.verbs.IbvCompChannel;
import com.ibm.disni.verbs.IbvContext;
import com.ibm.disni.verbs.IbvMr;
import com.ibm.disni.verbs.IbvPd;
import com.ibm.disni.verbs.IbvQP;
import com.ibm.disni.verbs.IbvQPInitAttr;
import com.ibm.disni.verbs.IbvRecvWR;
import com.ibm.disni.verbs.IbvSendWR;
import com.ibm.disni.verbs.IbvSge;
import com.ibm.disni.verbs.IbvWC;
import com.ibm.disni.verbs.RdmaCm;
import com.ibm.disni.verbs.RdmaCmEvent;
import com.ibm.disni.verbs.RdmaCmId;
import com.ibm.disni.verbs.RdmaConnParam;
import com.ibm.disni.verbs.RdmaEventChannel;
import com.ibm.disni.verbs.SVCPollCq;
import com.ibm.disni.verbs.SVCPostRecv;
import com.ibm.disni.verbs.SVCPostSend;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.LinkedList;
import java.util.List;

/** An end by DiSNI's classes alone, with each of its calls prepared once, as DiSNI wants to be used for speed. */
final class DisniCost extends CostEnd {
    private static final int TIMEOUT_MILLIS = 10_000;
    private static final int RECEIVED = 128;

    /** The channel of both ends, at the one that is closed last; null at the other. */
    private final RdmaEventChannel channel;

    private final RdmaCmId id;
    private final IbvPd domain;
    private final IbvCompChannel completionChannel;
    private final IbvCQ queue;
    private final IbvQP queuePair;
    private final IbvMr region;
    private final IbvWC[] completions = new IbvWC[DEPTH];
    private final SVCPollCq poll;
    private final SVCPostSend send;
    private final SVCPostRecv receive;
    private SVCPostSend write;

    private DisniCost(RdmaEventChannel channel, RdmaCmId id) throws IOException {
        this.channel = channel;
        this.id = id;
        IbvContext context = id.getVerbs();
        domain = context.allocPd();
        completionChannel = context.createCompChannel();
        queue = context.createCQ(completionChannel, 4 * DEPTH, 0);
        IbvQPInitAttr attributes = new IbvQPInitAttr();
        attributes.setQp_type(IbvQP.IBV_QPT_RC);
        attributes.setSend_cq(queue);
        attributes.setRecv_cq(queue);
        attributes.cap().setMax_send_wr(2 * DEPTH);
        attributes.cap().setMax_recv_wr(DEPTH);
        attributes.cap().setMax_send_sge(1);
        attributes.cap().setMax_recv_sge(1);
        queuePair = id.createQP(domain, attributes);
        region = domain.regMr(
                        ByteBuffer.allocateDirect(WRITE), IbvMr.IBV_ACCESS_LOCAL_WRITE | IbvMr.IBV_ACCESS_REMOTE_WRITE)
                .execute()
                .free()
                .getMr();
        for (int i = 0; i < completions.length; i++) {
            completions[i] = new IbvWC();
        }
        poll = queue.poll(completions, completions.length);
        send = queuePair.postSend(List.of(request(IbvSendWR.IBV_WR_SEND, MESSAGE)), null);
        IbvRecvWR receiving = new IbvRecvWR();
        receiving.setSg_list(segment(MESSAGE));
        receiving.setNum_sge(1);
        receive = queuePair.postRecv(List.of(receiving), null);
        postReceive();
    }

    /** Connects two ends over the device that has this address. */
    static CostLoops connect(InetSocketAddress server) throws IOException {
        RdmaEventChannel channel = RdmaEventChannel.createEventChannel();
        RdmaCmId listener = channel.createId(RdmaCm.RDMA_PS_TCP);
        listener.bindAddr(server);
        listener.listen(1);
        RdmaCmId id = channel.createId(RdmaCm.RDMA_PS_TCP);
        id.resolveAddr(null, server, TIMEOUT_MILLIS);
        take(channel, RdmaCmEvent.EventType.RDMA_CM_EVENT_ADDR_RESOLVED);
        id.resolveRoute(TIMEOUT_MILLIS);
        take(channel, RdmaCmEvent.EventType.RDMA_CM_EVENT_ROUTE_RESOLVED);
        DisniCost client = new DisniCost(null, id);
        id.connect(parameters());
        RdmaCmId child = take(channel, RdmaCmEvent.EventType.RDMA_CM_EVENT_CONNECT_REQUEST)
                .getConnIdPriv();
        DisniCost accepting = new DisniCost(channel, child);
        child.accept(parameters());
        take(channel, RdmaCmEvent.EventType.RDMA_CM_EVENT_ESTABLISHED);
        take(channel, RdmaCmEvent.EventType.RDMA_CM_EVENT_ESTABLISHED);
        listener.destroyId();
        client.writeTo(accepting);
        return new CostLoops(client, accepting);
    }

    private static RdmaConnParam parameters() throws IOException {
        RdmaConnParam parameters = new RdmaConnParam();
        parameters.setRetry_count((byte) 7);
        parameters.setRnr_retry_count((byte) 7);
        return parameters;
    }

    private static RdmaCmEvent take(RdmaEventChannel channel, RdmaCmEvent.EventType expected) throws IOException {
        RdmaCmEvent event = channel.getCmEvent(TIMEOUT_MILLIS);
        if (event == null || event.getEvent() != expected.ordinal()) {
            throw new IOException(
                    (event == null ? "no event" : "event " + event.getEvent()) + " instead of " + expected);
        }
        event.ackEvent();
        return event;
    }

    private void writeTo(DisniCost peer) throws IOException {
        IbvSendWR request = request(IbvSendWR.IBV_WR_RDMA_WRITE, WRITE);
        request.getRdma().setRemote_addr(peer.region.getAddr());
        request.getRdma().setRkey(peer.region.getRkey());
        write = queuePair.postSend(List.of(request), null);
    }

    private IbvSendWR request(int operation, int length) {
        IbvSendWR request = new IbvSendWR();
        request.setOpcode(operation);
        request.setSend_flags(IbvSendWR.IBV_SEND_SIGNALED);
        request.setSg_list(segment(length));
        request.setNum_sge(1);
        return request;
    }

    private LinkedList<IbvSge> segment(int length) {
        IbvSge segment = new IbvSge();
        segment.setAddr(region.getAddr());
        segment.setLength(length);
        segment.setLkey(region.getLkey());
        return new LinkedList<>(List.of(segment));
    }

    @Override
    void postReceive() throws IOException {
        receive.execute();
    }

    @Override
    void send() throws IOException {
        send.execute();
    }

    @Override
    void write() throws IOException {
        write.execute();
    }

    @Override
    void poll() throws IOException {
        int polled = poll.execute().getPolls();
        for (int i = 0; i < polled; i++) {
            completed((completions[i].getOpcode() & RECEIVED) != 0, completions[i].getStatus() == 0);
        }
    }

    @Override
    public void close() throws IOException {
        id.disconnect();
        id.destroyQP();
        id.destroyId();
        region.deregMr().execute().free();
        queue.destroyCQ();
        completionChannel.destroyCompChannel();
        try {
            domain.deallocPd();
        } catch (Exception declared) {
            throw new IOException(declared);
        }
        if (channel != null) {
            channel.destroyEventChannel();
        }
    }
}
