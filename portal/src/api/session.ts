// Who is signed in. The session is a cookie that scripts cannot read; the page knows only what the server reports.

import type { Session, SessionOrder } from "@tandem/sdk";
import { useSuspenseQuery } from "@tanstack/react-query";
import { client, showSession, visitor } from "./client.ts";
import { dataQuery, queries } from "./queries.ts";

export type { Session };

/** The session of this browser, or null while signed out. It may be another one than the page shows. */
export const sessionQuery = {
  ...dataQuery<Session | null>(["session"], (options) => visitor.session.get(options)),
  staleTime: 60_000,
  // Another tab may have signed in or out.
  refetchOnWindowFocus: "always" as const,
};

export async function signIn(credentials: SessionOrder): Promise<void> {
  const { data } = await visitor.session.signIn(credentials);
  showSession(data);
  queries.clear();
  queries.setQueryData(sessionQuery.queryKey, data);
}

export async function signOut({ everywhere = false } = {}): Promise<void> {
  await client.session.signOut(everywhere ? { everywhere } : {});
  queries.clear();
  location.assign("/sign-in");
}

/** For screens within the shell, which are shown only after sign-in. */
export function useSession(): Session {
  const { data } = useSuspenseQuery(sessionQuery);
  if (!data) throw new Error("There is no session.");
  return data;
}
