// Links by which people of an account show support what they see. The link holds no data: it names a record here, which
// holds the address of the page, and only operators may read it.

import type { Ids } from "../../base/ids.ts";

const KEPT_MS = 30 * 86_400_000;

export interface SupportLink {
  readonly sid: string;
  readonly accountSid: string;
  /** Path and query of the page, as the account sees it. */
  readonly address: string;
  readonly createdOn: Date;
  readonly expiresOn: Date;
}

export interface SupportLinkStore {
  /** The account's oldest links are removed where it has very many. */
  insert(link: SupportLink): Promise<void>;
  /** Undefined after it has expired. */
  find(sid: string, now: Date): Promise<SupportLink | undefined>;
}

export interface SupportLinkDeps {
  readonly supportLinks: SupportLinkStore;
  readonly ids: Ids;
  readonly now: Date;
}

export async function linkForSupport(
  { supportLinks, ids, now }: SupportLinkDeps,
  accountSid: string,
  address: string,
): Promise<SupportLink> {
  const expiresOn = new Date(now.getTime() + KEPT_MS);
  const link = { sid: ids.sid("SL"), accountSid, address, createdOn: now, expiresOn };
  await supportLinks.insert(link);
  return link;
}
