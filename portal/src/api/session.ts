// Who is signed in. The session is a cookie that scripts cannot read; the page knows only what the server says of it.

import { TandemError, TandemNetworkError } from "@tandem/sdk";
import { queryOptions, useSuspenseQuery } from "@tanstack/react-query";
import { queries } from "./queries.ts";

export interface Session {
  readonly kind: "Account" | "Operator";
  /** Null for operators. */
  readonly accountSid: string | null;
  readonly name: string;
  readonly role: "admin" | "support" | null;
  readonly sandbox: boolean;
  readonly expiresOn: string;
}

/** How one signs in. */
export type Credentials =
  | { readonly accountSid: string; readonly token: string }
  | { readonly operatorToken: string }
  | { readonly ticket: string };

async function ask(method: string, query = "", body?: Credentials): Promise<Session | undefined> {
  let response: Response;
  try {
    response = await fetch(`/v1/Session${query}`, {
      method,
      credentials: "same-origin",
      headers: {
        Accept: "application/json",
        "X-Tandem-Session": "1",
        ...(body && { "Content-Type": "application/json" }),
      },
      ...(body && { body: JSON.stringify(body) }),
    });
  } catch (error) {
    throw new TandemNetworkError("unreachable", `${location.origin} cannot be reached.`, error);
  }
  const answer: unknown = response.status === 204 ? undefined : await response.json().catch(() => undefined);
  if (!response.ok) throw new TandemError(response.status, response.headers, answer);
  return answer as Session | undefined;
}

/** The session, or null where nobody is signed in. */
export const sessionQuery = queryOptions({
  queryKey: ["session"],
  queryFn: async (): Promise<Session | null> => {
    try {
      return (await ask("GET")) ?? null;
    } catch (error) {
      if (error instanceof TandemError && error.status === 401) return null;
      throw error;
    }
  },
  staleTime: 60_000,
});

export async function signIn(credentials: Credentials): Promise<Session> {
  const session = await ask("POST", "", credentials);
  if (!session) throw new Error("The server answered no session.");
  queries.clear();
  queries.setQueryData(sessionQuery.queryKey, session);
  return session;
}

export async function signOut({ everywhere = false } = {}): Promise<void> {
  await ask("DELETE", everywhere ? "?Everywhere=true" : "");
  queries.clear();
  location.assign("/sign-in");
}

/** For screens within the shell, which are shown only to somebody who is signed in. */
export function useSession(): Session {
  const { data } = useSuspenseQuery(sessionQuery);
  if (!data) throw new Error("Nobody is signed in.");
  return data;
}
