package org.verbena.rdma.core.device;

/**
 * Which of two devices with the same address serves it: the higher ranking, then the lower number.
 *
 * @param ranking the {@code service.ranking} of the provider's service
 * @param serviceId the {@code service.id} of the provider's service
 */
public record DeviceRank(int ranking, long serviceId) implements Comparable<DeviceRank> {
    @Override
    public int compareTo(DeviceRank other) {
        int byRanking = Integer.compare(other.ranking, ranking);
        return byRanking != 0 ? byRanking : Long.compare(serviceId, other.serviceId);
    }
}
