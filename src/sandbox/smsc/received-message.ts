// A message as its handset received it, with its parts joined.

import { decodeText } from "../../wire/smpp/text.ts";

interface Content {
  /** One for each part, in the order of the parts; empty for a part that never arrived. */
  readonly messageIds: readonly string[];
  /** The ESME that submitted it. */
  readonly systemId: string;
  readonly from: string;
  readonly to: string;
  readonly dataCoding: number;
  /** Without headers. */
  readonly octets: Uint8Array;
  /** Numbers of the parts that never arrived. */
  readonly missing: readonly number[];
  readonly receivedAt: Date;
}

export interface ReceivedMessage extends Content {
  /** Undefined for data, or for text in an alphabet we do not support. */
  readonly text: string | undefined;
  /** Class 0: shown immediately and not stored. */
  readonly isFlash: boolean;
}

/** Decodes on demand: most messages are never read, and a text takes many times the memory of its octets. */
export function receivedMessage(content: Content): ReceivedMessage {
  return {
    ...content,
    get text() {
      return decodeText(content);
    },
    isFlash: isClassZero(content.dataCoding),
  };
}

/** 3GPP TS 23.038, 4: the groups that carry a class, and class 0. */
function isClassZero(dataCoding: number): boolean {
  const isClassed = dataCoding >> 4 === 0xf || (dataCoding & 0xd0) === 0x10;
  return isClassed && (dataCoding & 0x03) === 0;
}
