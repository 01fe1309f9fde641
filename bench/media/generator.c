// Phones for the media benchmark: reads lines of "own port, port to send to" until the end of input, opens a socket
// for each, sends a packet of 20 ms of PCMU from every socket at an even pace, and measures what arrives: how many, and
// how long after it was sent, by the kernel's clock at arrival. Arguments: seconds of warm-up, seconds measured.
// Prints "begin" when the warm-up is over and one JSON object at the end.

#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define PHONES_MAX 8192
#define PERIOD_NS 20000000LL
#define PACKET 172
#define BUCKET_US 10
#define BUCKETS 50000

struct phone {
  int fd;
  uint16_t sequence;
  uint32_t timestamp;
  struct sockaddr_in to;
};

static struct phone phones[PHONES_MAX];
static int count;
static long buckets[BUCKETS + 1];
static long long sent, received, unsent;

static int64_t now_ns(void) {
  struct timespec at;
  clock_gettime(CLOCK_REALTIME, &at);
  return at.tv_sec * 1000000000LL + at.tv_nsec;
}

static void open_phone(int own, int to) {
  struct phone *phone = &phones[count];
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(own)};
  int size = 1 << 20, on = 1;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  phone->fd = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0);
  setsockopt(phone->fd, SOL_SOCKET, SO_RCVBUF, &size, sizeof size);
  setsockopt(phone->fd, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on);
  if (phone->fd < 0 || bind(phone->fd, (struct sockaddr *)&address, sizeof address) < 0) {
    fprintf(stderr, "port %d: %s\n", own, strerror(errno));
    exit(1);
  }
  phone->to = address;
  phone->to.sin_port = htons(to);
  count++;
}

static void send_packet(struct phone *phone, int index, int64_t from) {
  unsigned char packet[PACKET];
  uint32_t ssrc = htonl(0x10000 + index), timestamp = htonl(phone->timestamp);
  uint16_t sequence = htons(phone->sequence++);
  int64_t at = now_ns();
  memset(packet, 0xff, sizeof packet);
  packet[0] = 0x80;
  packet[1] = 0;
  memcpy(packet + 2, &sequence, 2);
  memcpy(packet + 4, &timestamp, 4);
  memcpy(packet + 8, &ssrc, 4);
  memcpy(packet + 12, &at, 8);
  phone->timestamp += 160;
  if (at >= from) sent++;
  if (sendto(phone->fd, packet, sizeof packet, 0, (struct sockaddr *)&phone->to, sizeof phone->to) < 0) unsent++;
}

static void receive_packet(struct phone *phone, int64_t from) {
  unsigned char packet[2048], control[256];
  struct iovec part = {packet, sizeof packet};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
  int64_t at, sent_at;
  ssize_t length = recvmsg(phone->fd, &message, 0);
  struct cmsghdr *header = CMSG_FIRSTHDR(&message);
  if (length != PACKET) return;
  at = now_ns();
  for (; header; header = CMSG_NXTHDR(&message, header)) {
    if (header->cmsg_level == SOL_SOCKET && header->cmsg_type == SCM_TIMESTAMPNS) {
      struct timespec *stamp = (struct timespec *)CMSG_DATA(header);
      at = stamp->tv_sec * 1000000000LL + stamp->tv_nsec;
    }
  }
  memcpy(&sent_at, packet + 12, 8);
  if (sent_at < from) return;
  received++;
  long bucket = (at - sent_at) / 1000 / BUCKET_US;
  buckets[bucket < 0 ? 0 : bucket > BUCKETS ? BUCKETS : bucket]++;
}

static double percentile(double share) {
  long long wanted = (long long)(received * share), seen = 0;
  for (int bucket = 0; bucket <= BUCKETS; bucket++) {
    seen += buckets[bucket];
    if (seen >= wanted) return bucket * BUCKET_US / 1000.0;
  }
  return BUCKETS * BUCKET_US / 1000.0;
}

int main(int argc, char **argv) {
  int own, to, next = 0, is_begun = 0, epoll = epoll_create1(0);
  struct rlimit files = {PHONES_MAX + 64, PHONES_MAX + 64};
  struct epoll_event events[256];
  if (argc != 3) return 2;
  setrlimit(RLIMIT_NOFILE, &files);
  while (count < PHONES_MAX && scanf("%d %d", &own, &to) == 2) open_phone(own, to);
  for (int index = 0; index < count; index++) {
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = index};
    epoll_ctl(epoll, EPOLL_CTL_ADD, phones[index].fd, &event);
  }
  int64_t start = now_ns(), from = start + atoi(argv[1]) * 1000000000LL, until = from + atoi(argv[2]) * 1000000000LL;
  int64_t step = PERIOD_NS / count, due = start;
  while (now_ns() < until + 500000000LL) {
    int64_t now = now_ns();
    if (!is_begun && now >= from) {
      is_begun = 1;
      puts("begin");
      fflush(stdout);
    }
    for (; due <= now && due < until; due += step) {
      send_packet(&phones[next], next, from);
      next = (next + 1) % count;
    }
    int ready = epoll_wait(epoll, events, 256, due - now > 1000000 || due >= until ? 1 : 0);
    for (int index = 0; index < ready; index++) receive_packet(&phones[events[index].data.u32], from);
  }
  printf("{\"sent\":%lld,\"received\":%lld,\"unsent\":%lld,\"p50\":%.2f,\"p99\":%.2f,\"p999\":%.2f}\n", sent, received, unsent,
         percentile(0.5), percentile(0.99), percentile(0.999));
  return 0;
}
