// The headers and times of an attempt as they are stored: text, because no query searches it.

import type { Attempt, AttemptExchange } from "../../../domain/webhooks/index.ts";

export function exchangeText({ exchange }: Attempt): string | null {
  return exchange ? JSON.stringify(exchange) : null;
}

export function exchangeOf(text: string | null): AttemptExchange | undefined {
  return text === null ? undefined : (JSON.parse(text) as AttemptExchange);
}
