// Flite (CMU's small speech synthesiser) as a WebAssembly program: runs it with arguments and returns the file that it
// writes. The program can do only what is implemented here: read its arguments and write one file into memory. There is
// no directory, no network and no clock.

/** What we use of WebAssembly, for which Node's types have no names. */
interface WebAssemblyHost {
  readonly Module: new (octets: Uint8Array) => object;
  readonly Instance: new (
    module: object,
    imports: Readonly<Record<string, object>>,
  ) => { readonly exports: Readonly<Record<string, unknown>> };
}
const host = (globalThis as unknown as { readonly WebAssembly: WebAssemblyHost }).WebAssembly;

/** Numbers of `wasi_snapshot_preview1`. */
const OK = 0;
const BAD_DESCRIPTOR = 8;
const NO_FILE = 44;
const NO_SEEK = 70;
const TYPE_DEVICE = 2;
const TYPE_DIRECTORY = 3;
const TYPE_FILE = 4;
const CREATE = 1;
const ROOT = 3;
const FILE = 4;

const FILE_NAME = "/speech.wav";
/** Ten minutes at 16 kHz: no part of a text is as long. */
const FILE_OCTETS_MAX = 20_000_000;

class Exit extends Error {
  readonly code: number;
  constructor(code: number) {
    super(`it ended with ${code}`);
    this.code = code;
  }
}

export class FliteProgram {
  readonly #module: object;

  /** `octets` of `flite.wasm`; takes a quarter of a second. */
  constructor(octets: Uint8Array) {
    this.#module = new host.Module(octets);
  }

  /** Returns a WAV file. Throws when the program fails. */
  speak(text: string, voice: string): Uint8Array {
    const world = new World(["flite", "-voice", voice, "-t", text, "-o", FILE_NAME]);
    const { exports } = new host.Instance(this.#module, { wasi_snapshot_preview1: world.calls });
    world.memory = exports.memory as { readonly buffer: ArrayBuffer };
    try {
      (exports._start as () => void)();
    } catch (fault) {
      if (!(fault instanceof Exit) || fault.code !== 0) throw fault;
    }
    return world.written;
  }
}

class World {
  memory: { readonly buffer: ArrayBuffer } = { buffer: new ArrayBuffer(0) };
  readonly #parts: Uint8Array[];
  #file = new Uint8Array(1 << 16);
  #length = 0;
  #place = 0;

  constructor(words: readonly string[]) {
    this.#parts = words.map((word) => new TextEncoder().encode(`${word}\0`));
  }

  get written(): Uint8Array {
    return this.#file.subarray(0, this.#length);
  }

  readonly calls = {
    args_sizes_get: (countAt: number, lengthAt: number) => {
      this.#setU32(countAt, this.#parts.length);
      this.#setU32(
        lengthAt,
        this.#parts.reduce((sum, part) => sum + part.length, 0),
      );
      return OK;
    },
    args_get: (pointersAt: number, textAt: number) => {
      let place = textAt;
      for (const [at, part] of this.#parts.entries()) {
        this.#setU32(pointersAt + 4 * at, place);
        this.#octets(place, part.length).set(part);
        place += part.length;
      }
      return OK;
    },
    clock_time_get: (_clock: number, _precision: bigint, timeAt: number) => {
      this.#view().setBigUint64(timeAt, 0n, true);
      return OK;
    },
    fd_close: () => OK,
    fd_fdstat_set_flags: () => OK,
    fd_fdstat_get: (fd: number, at: number) => {
      if (fd > FILE) return BAD_DESCRIPTOR;
      const status = this.#octets(at, 24);
      status.fill(0, 0, 8).fill(0xff, 8);
      status[0] = fd === ROOT ? TYPE_DIRECTORY : fd === FILE ? TYPE_FILE : TYPE_DEVICE;
      return OK;
    },
    fd_prestat_get: (fd: number, at: number) => {
      if (fd !== ROOT) return BAD_DESCRIPTOR;
      this.#setU32(at, 0);
      this.#setU32(at + 4, 1);
      return OK;
    },
    fd_prestat_dir_name: (_fd: number, at: number) => {
      this.#octets(at, 1).fill(0x2f);
      return OK;
    },
    fd_read: (_fd: number, _vectors: number, _count: number, readAt: number) => {
      this.#setU32(readAt, 0);
      return OK;
    },
    fd_seek: (fd: number, offset: bigint, whence: number, placeAt: number) => {
      if (fd !== FILE) return NO_SEEK;
      const from = whence === 0 ? 0 : whence === 1 ? this.#place : this.#length;
      this.#place = Math.max(0, Math.min(this.#length, from + Number(offset)));
      this.#view().setBigUint64(placeAt, BigInt(this.#place), true);
      return OK;
    },
    fd_write: (fd: number, vectors: number, count: number, writtenAt: number) => {
      let total = 0;
      for (let at = 0; at < count; at++) {
        const place = this.#view().getUint32(vectors + 8 * at, true);
        const length = this.#view().getUint32(vectors + 8 * at + 4, true);
        if (fd === FILE) this.#write(this.#octets(place, length));
        total += length;
      }
      this.#setU32(writtenAt, total);
      return OK;
    },
    path_open: (...given: readonly unknown[]) => {
      const [, , , , flags, , , , fdAt] = given as readonly number[];
      if (((flags ?? 0) & CREATE) === 0) return NO_FILE;
      this.#setU32(fdAt ?? 0, FILE);
      return OK;
    },
    proc_exit: (code: number) => {
      throw new Exit(code);
    },
  };

  #write(octets: Uint8Array): void {
    const end = this.#place + octets.length;
    if (end > FILE_OCTETS_MAX) throw new Error("the speech is too long");
    if (end > this.#file.length) {
      const larger = new Uint8Array(Math.max(end, this.#file.length * 2));
      larger.set(this.#file);
      this.#file = larger;
    }
    this.#file.set(octets, this.#place);
    this.#place = end;
    this.#length = Math.max(this.#length, end);
  }

  /** Memory moves when it grows, so the view is made anew each time. */
  #view(): DataView {
    return new DataView(this.memory.buffer);
  }

  #octets(at: number, length: number): Uint8Array {
    return new Uint8Array(this.memory.buffer, at, length);
  }

  #setU32(at: number, value: number): void {
    this.#view().setUint32(at, value, true);
  }
}
