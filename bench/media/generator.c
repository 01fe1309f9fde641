// Phones for the benchmarks of media and of streams: reads lines of "own port, port to send to" until the end of input,
// opens a socket for each, sends a packet of 20 ms of PCMU from every socket at an even pace, and measures what arrives:
// how many, and how long after it was sent, by the kernel's clock at arrival. Arguments: seconds of warm-up, seconds of
// an interval, how many intervals (1 by default).
//
// The sound of each packet begins with a marker (bench/streams/marker.ts): eight octets that nothing else has, when it
// was sent, and eight octets for a program on the way to say when it had the marker. A marker is found wherever it is in
// what arrives, also when it is split over two packets; `received` counts markers, `packets` packets of any sound.
//
// Prints "begin" when the warm-up is over, one JSON object after each interval, and "end" when the last packet is sent,
// half a second before the last object. Delays are in ms: from phone to phone, and where a program was on the way, from
// the phone to the program and back from it.

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
#define HEADER 12
#define MARKER 24
#define SOUND 0x9a

struct phone {
  int fd;
  uint16_t sequence;
  uint32_t timestamp;
  struct sockaddr_in to;
  /* The marker that is being read, and the sequence number that continues it. */
  unsigned char marker[MARKER];
  int read;
  uint16_t next;
};

struct delays {
  long buckets[BUCKETS + 1];
  long long count;
};

/* The first octet is not repeated, so a search that fails goes on at the octet that it failed at. */
static const unsigned char MAGIC[8] = {0x13, 0x9e, 0x37, 0x79, 0xb9, 0x7f, 0x4a, 0x7c};
static struct phone phones[PHONES_MAX];
static int count;
static struct delays whole, to_program, from_program;
static long long sent, received, packets, unsent;
static int is_ended;

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
  int64_t at_us = at / 1000;
  memset(packet, SOUND, sizeof packet);
  packet[0] = 0x80;
  packet[1] = 0;
  memcpy(packet + 2, &sequence, 2);
  memcpy(packet + 4, &timestamp, 4);
  memcpy(packet + 8, &ssrc, 4);
  memcpy(packet + HEADER, MAGIC, 8);
  memcpy(packet + HEADER + 8, &at_us, 8);
  memset(packet + HEADER + 16, 0, 8);
  phone->timestamp += 160;
  if (at >= from) sent++;
  if (sendto(phone->fd, packet, sizeof packet, 0, (struct sockaddr *)&phone->to, sizeof phone->to) < 0) unsent++;
}

static void add(struct delays *delays, int64_t us) {
  int64_t bucket = us / BUCKET_US;
  delays->buckets[bucket < 0 ? 0 : bucket > BUCKETS ? BUCKETS : bucket]++;
  delays->count++;
}

static void read_marker(const unsigned char *marker, int64_t at_us, int64_t from) {
  int64_t sent_us, program_us;
  memcpy(&sent_us, marker + 8, 8);
  memcpy(&program_us, marker + 16, 8);
  if (sent_us < from / 1000) return;
  received++;
  add(&whole, at_us - sent_us);
  if (program_us == 0) return;
  add(&to_program, program_us - sent_us);
  add(&from_program, at_us - program_us);
}

static void read_sound(struct phone *phone, const unsigned char *packet, int64_t at_us, int64_t from) {
  uint16_t sequence;
  memcpy(&sequence, packet + 2, 2);
  sequence = ntohs(sequence);
  if (sequence != phone->next) phone->read = 0;
  phone->next = sequence + 1;
  for (int at = HEADER; at < PACKET; at++) {
    if (phone->read < 8 && packet[at] != MAGIC[phone->read]) phone->read = 0;
    if (phone->read < 8 && packet[at] != MAGIC[phone->read]) continue;
    phone->marker[phone->read++] = packet[at];
    if (phone->read < MARKER) continue;
    read_marker(phone->marker, at_us, from);
    phone->read = 0;
  }
}

static void receive_packet(struct phone *phone, int64_t from) {
  unsigned char packet[2048], control[256];
  struct iovec part = {packet, sizeof packet};
  struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1, .msg_control = control, .msg_controllen = sizeof control};
  int64_t at;
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
  if (at >= from && !is_ended) packets++;
  read_sound(phone, packet, at / 1000, from);
}

static double percentile(const struct delays *delays, double share) {
  long long wanted = (long long)(delays->count * share), seen = 0;
  for (int bucket = 0; bucket <= BUCKETS; bucket++) {
    seen += delays->buckets[bucket];
    if (seen >= wanted) return bucket * BUCKET_US / 1000.0;
  }
  return BUCKETS * BUCKET_US / 1000.0;
}

static void print_percentiles(const char *name, const struct delays *delays) {
  if (delays->count == 0) return;
  printf(",\"%s\":{\"p50\":%.2f,\"p99\":%.2f}", name, percentile(delays, 0.5), percentile(delays, 0.99));
}

/* The figures since the last time. */
static void print_figures(void) {
  printf("{\"sent\":%lld,\"received\":%lld,\"packets\":%lld,\"unsent\":%lld", sent, received, packets, unsent);
  printf(",\"p50\":%.2f,\"p99\":%.2f,\"p999\":%.2f", percentile(&whole, 0.5), percentile(&whole, 0.99),
         percentile(&whole, 0.999));
  print_percentiles("toProgram", &to_program);
  print_percentiles("fromProgram", &from_program);
  puts("}");
  fflush(stdout);
  sent = received = packets = unsent = 0;
  memset(&whole, 0, sizeof whole);
  memset(&to_program, 0, sizeof to_program);
  memset(&from_program, 0, sizeof from_program);
}

static void say(const char *word) {
  puts(word);
  fflush(stdout);
}

int main(int argc, char **argv) {
  int own, to, next = 0, is_begun = 0, epoll = epoll_create1(0);
  struct rlimit files = {PHONES_MAX + 64, PHONES_MAX + 64};
  struct epoll_event events[256];
  if (argc != 3 && argc != 4) return 2;
  setrlimit(RLIMIT_NOFILE, &files);
  while (count < PHONES_MAX && scanf("%d %d", &own, &to) == 2) open_phone(own, to);
  if (count == 0) return 2;
  for (int index = 0; index < count; index++) {
    struct epoll_event event = {.events = EPOLLIN, .data.u32 = index};
    epoll_ctl(epoll, EPOLL_CTL_ADD, phones[index].fd, &event);
  }
  int64_t start = now_ns(), from = start + atoi(argv[1]) * 1000000000LL, interval = atoi(argv[2]) * 1000000000LL;
  int64_t until = from + interval * (argc == 4 ? atoi(argv[3]) : 1), figures_due = from + interval;
  int64_t step = PERIOD_NS / count, due = start;
  while (now_ns() < until + 500000000LL) {
    int64_t now = now_ns();
    if (!is_begun && now >= from) {
      is_begun = 1;
      say("begin");
    }
    if (now >= figures_due && figures_due < until) {
      figures_due += interval;
      print_figures();
    }
    if (!is_ended && now >= until) {
      is_ended = 1;
      say("end");
    }
    for (; due <= now && due < until; due += step) {
      send_packet(&phones[next], next, from);
      next = (next + 1) % count;
    }
    int ready = epoll_wait(epoll, events, 256, due - now > 1000000 || due >= until ? 1 : 0);
    for (int index = 0; index < ready; index++) receive_packet(&phones[events[index].data.u32], from);
  }
  print_figures();
  return 0;
}
