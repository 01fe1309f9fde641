// Writes a session description (RFC 8866 5: the order of lines is fixed). Each media line has its own connection, so
// that no line depends on another.

import type { ConnectionAddress, CryptoLine, MediaDescription, SessionDescription } from "./description.ts";

export function writeSdp({ origin, media }: SessionDescription): string {
  const lines = [
    "v=0",
    `o=- ${origin.sessionId} ${origin.version} ${connectionText(origin.connection)}`,
    "s=-",
    // RFC 8866 5.7: the session's own c= line is for receivers that do not read it from the media.
    `c=${connectionText(media.find(({ connection }) => connection)?.connection ?? origin.connection)}`,
    "t=0 0",
    ...media.flatMap(mediaLines),
  ];
  return `${lines.join("\r\n")}\r\n`;
}

function connectionText({ family, address }: ConnectionAddress): string {
  return `IN IP${family} ${address}`;
}

function mediaLines(line: MediaDescription): string[] {
  const head = `m=${line.media} ${line.port} ${line.protocol} ${line.formats.join(" ")}`;
  if (line.port === 0) return [head];
  return [
    head,
    ...(line.connection ? [`c=${connectionText(line.connection)}`] : []),
    ...line.payloads.map(({ payload, name, clockRate, channels }) =>
      channels === 1
        ? `a=rtpmap:${payload} ${name}/${clockRate}`
        : `a=rtpmap:${payload} ${name}/${clockRate}/${channels}`,
    ),
    ...line.payloads.flatMap(({ payload, parameters }) =>
      parameters === undefined ? [] : [`a=fmtp:${payload} ${parameters}`],
    ),
    ...(line.ptimeMs === undefined ? [] : [`a=ptime:${line.ptimeMs}`]),
    ...(line.rtcpPort === undefined ? [] : [rtcpText(line.rtcpPort, line.rtcpConnection)]),
    ...(line.hasRtcpMux ? ["a=rtcp-mux"] : []),
    ...line.crypto.map(cryptoText),
    `a=${line.direction}`,
  ];
}

function rtcpText(port: number, connection: ConnectionAddress | undefined): string {
  return connection ? `a=rtcp:${port} ${connectionText(connection)}` : `a=rtcp:${port}`;
}

function cryptoText({ tag, suite, keyAndSalt, sessionParameters }: CryptoLine): string {
  return [`a=crypto:${tag} ${suite} inline:${keyAndSalt}`, ...sessionParameters].join(" ");
}
