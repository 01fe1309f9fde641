// Every channel on which processes notify each other. A notification is delivered when its transaction commits.

import type { Queryable } from "./database.ts";

/** Carries the account's sid. */
export const ACCOUNT_CHANGED = "account_changed";
export const OPERATORS_CHANGED = "operators_changed";
/** Carries numbers, separated by commas. */
export const NUMBERS_KNOWN = "numbers_known";
/** Carries opt-outs, each an account's sid and a number, separated by commas. */
export const OPT_OUTS_KNOWN = "opt_outs_known";
/** Carries the sid of the account whose numbers, configs or campaigns changed. */
export const SENDERS_CHANGED = "senders_changed";
/** Carries sids of accounts (an event was stored) and subscriptions (a delivery is due), with commas; empty: any. */
export const EVENTS_STORED = "events_stored";
export const MESSAGES_QUEUED = "messages_queued";
/**
 * Empty: calls wait to be dialled; the sid of a call, or of a leg: it is to be hung up; the sid of a recording: it is
 * to be paused or resumed; `REDIRECTED`: calls are to go on with other programs; an object of JSON: what is asked of a
 * conference.
 */
export const CALLS_ASKED = "calls_asked";
export const REDIRECTED = "redirected";
/** Carries the name of a trunk whose registered contacts changed. */
export const REGISTRATIONS_CHANGED = "registrations_changed";
/** The operator has stopped or started a link. */
export const LINKS_CHANGED = "links_changed";
/** Carries subject and class of a rate limit whose leases another process needs back. */
export const LIMITS_WANTED = "limits_wanted";
/** Carries the name of a process at which other live entries are watched than before. */
export const LIVE_WATCHED = "live_watched";
/** Carries the name of a process that has stored live entries, and the first and the last of their ids, with spaces. */
export const LIVE_POSTED = "live_posted";
/** The database's secret key was replaced, or the key file may have changed. */
export const KEYS_CHANGED = "keys_changed";

export async function notify(db: Queryable, channel: string, payload = ""): Promise<void> {
  await db.query("select pg_notify($1, $2)", [channel, payload]);
}
