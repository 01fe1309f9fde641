// Runs in the page before its own scripts: counts the entries of the event stream, frames, frames in which the log
// changed, and long tasks, and measures how long a pressed key takes to show. `bench.begin()` and `bench.end()` enclose
// the measurement.

const tally = { events: 0, entries: 0 };
let frames = [];
let updates = 0;
let tasks = [];
let keys = [];
let begunMs = 0;
let entriesBefore = 0;
let isOn = false;

/** Takes whole blocks of the stream. Skips the portal's own successful GETs, which the log does not show. */
function count(text) {
  for (const [, type, data] of text.matchAll(/^event: ?(\w+)\r?\ndata: ?(.*)$/gm)) {
    if (type === "ApiRequest" && /"method":"GET"/.test(data) && /"status":[23]/.test(data)) continue;
    tally.entries += 1;
    if (!/^(ApiRequest|SmppPdu|SipMessage)$/.test(type)) tally.events += 1;
  }
}

/** Counts what is read from a stream while passing it on, at next to no cost. */
function countReads(reader) {
  const decoder = new TextDecoder();
  const read = reader.read.bind(reader);
  let rest = "";
  reader.read = async () => {
    const part = await read();
    const text = rest + decoder.decode(part.value, { stream: true });
    const end = text.lastIndexOf("\n\n") + 2;
    rest = end < 2 ? text : text.slice(end);
    if (end >= 2) count(text.slice(0, end));
    return part;
  };
  return reader;
}

const plain = window.fetch.bind(window);
window.fetch = async (...order) => {
  const answer = await plain(...order);
  if (!answer.headers.get("Content-Type")?.startsWith("text/event-stream")) return answer;
  const getReader = answer.body.getReader.bind(answer.body);
  answer.body.getReader = () => countReads(getReader());
  return answer;
};

function observe(type, take) {
  const told = (list) => isOn && list.getEntries().forEach(take);
  new PerformanceObserver(told).observe({ type, durationThreshold: 16 });
}

observe("longtask", ({ duration }) => tasks.push(duration));
observe("event", ({ duration, name }) => name === "keydown" && keys.push(duration));

let lastMs = 0;
let lastCount = "";
function frame(nowMs) {
  if (isOn && lastMs > 0) frames.push(nowMs - lastMs);
  lastMs = nowMs;
  const shownCount = document.querySelector(".histogram-words b")?.textContent ?? "";
  if (isOn && shownCount !== lastCount) updates += 1;
  lastCount = shownCount;
  requestAnimationFrame(frame);
}
requestAnimationFrame(frame);

function part(values, share) {
  const sorted = values.toSorted((one, other) => one - other);
  return Math.round(10 * (sorted[Math.floor((sorted.length - 1) * share)] ?? 0)) / 10;
}

window.bench = {
  begin() {
    [frames, updates, tasks, keys] = [[], 0, [], []];
    [begunMs, entriesBefore, isOn] = [performance.now(), tally.entries, true];
  },
  end() {
    isOn = false;
    return {
      seconds: (performance.now() - begunMs) / 1000,
      frames: frames.length,
      updates,
      entries: tally.entries - entriesBefore,
      frameMs: { p50: part(frames, 0.5), p95: part(frames, 0.95), worst: part(frames, 1) },
      longTasks: tasks.length,
      longestTaskMs: part(tasks, 1),
      typingMs: { p50: part(keys, 0.5), p95: part(keys, 0.95) },
    };
  },
  came: () => tally,
};
