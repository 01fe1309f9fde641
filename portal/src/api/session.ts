// Who is signed in. The session is a cookie that scripts cannot read; the page knows only what the server reports.

import type { Session, SessionOrder } from "@tandem/sdk";
import { useSuspenseQuery } from "@tanstack/react-query";
import { client } from "./client.ts";
import { dataQuery, queries } from "./queries.ts";

export type { Session };

/** The session, or null while signed out. */
export const sessionQuery = {
  ...dataQuery<Session | null>(["session"], (options) => client.session.get(options)),
  staleTime: 60_000,
};

export async function signIn(credentials: SessionOrder): Promise<void> {
  const { data } = await client.session.signIn(credentials);
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
