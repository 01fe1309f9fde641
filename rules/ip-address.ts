// IP addresses of both families, from text.

export interface Address {
  readonly family: 4 | 6;
  readonly value: bigint;
}

/** RFC 6761 6.3: these names are loopback, and no name server is asked for them. */
export function isLocalhost(host: string): boolean {
  return /(?:^|\.)localhost\.?$/i.test(host);
}

/** IPv4 only as four decimal numbers: rejects `127.1` and `0x7f.0.0.1`. A zone (`%eth0`) is dropped. */
export function parseAddress(text: string): Address | undefined {
  if (!text.includes(":")) {
    const value = parseV4(text);
    return value === undefined ? undefined : { family: 4, value };
  }
  const zone = text.indexOf("%");
  const value = parseV6(zone === -1 ? text : text.slice(0, zone));
  return value === undefined ? undefined : { family: 6, value };
}

function parseV4(text: string): bigint | undefined {
  const parts = text.split(".");
  if (parts.length !== 4) return undefined;
  let value = 0n;
  for (const part of parts) {
    if (!/^(0|[1-9]\d{0,2})$/.test(part) || Number(part) > 255) return undefined;
    value = (value << 8n) | BigInt(part);
  }
  return value;
}

function parseV6(text: string): bigint | undefined {
  const lastColon = text.lastIndexOf(":");
  const tail = text.slice(lastColon + 1);
  if (tail.includes(".")) {
    const v4 = parseV4(tail);
    if (v4 === undefined) return undefined;
    return parseV6(`${text.slice(0, lastColon + 1)}${(v4 >> 16n).toString(16)}:${(v4 & 0xffffn).toString(16)}`);
  }
  const [left = "", right, ...rest] = text.split("::");
  if (rest.length > 0) return undefined;
  const head = left === "" ? [] : left.split(":");
  const end = right === undefined || right === "" ? [] : right.split(":");
  const missing = 8 - head.length - end.length;
  if (right === undefined ? missing !== 0 : missing < 1) return undefined;
  let value = 0n;
  for (const group of [...head, ...Array<string>(missing).fill("0"), ...end]) {
    if (!/^[0-9a-f]{1,4}$/i.test(group)) return undefined;
    value = (value << 16n) | BigInt(`0x${group}`);
  }
  return value;
}
