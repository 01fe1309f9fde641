import { createClient, type TandemClient } from "../../sdk/src/index.ts";

export interface Heard {
  readonly call: string;
  readonly body: unknown;
  readonly key: string | null;
}

/** A client without a network that records its requests. */
export function listenedTo(answer: () => Response): {
  readonly client: TandemClient;
  readonly heard: readonly Heard[];
} {
  const heard: Heard[] = [];
  const fetch = async (url: unknown, init: RequestInit = {}) => {
    const { method, body, headers } = init;
    const { pathname, search } = new URL(String(url));
    const key = new Headers(headers).get("Idempotency-Key");
    const form = body instanceof FormData ? { form: await readForm(body) } : undefined;
    heard.push({
      call: `${method} ${pathname}${search}`,
      body: form ?? (body ? JSON.parse(String(body)) : undefined),
      key,
    });
    return answer();
  };
  const order = { baseUrl: "http://localhost:8080", accountSid: "AC1", token: "t", retries: 0, fetch };
  return { client: createClient(order), heard };
}

async function readForm(form: FormData): Promise<object> {
  const files = form.getAll("files").filter((part) => part instanceof File);
  return {
    data: JSON.parse(String(form.get("data"))),
    files: await Promise.all(files.map(async (file) => [file.name, await file.text()])),
  };
}
