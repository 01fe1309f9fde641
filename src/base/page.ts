// Keyset pagination: a page starts after a key, so pages stay stable while rows are added. A page may have fewer items
// than asked for, or none, and name the next: then as much as it may was looked through.

export interface Page<Item> {
  /** The key of the first item: a page in the other direction may begin after it. */
  readonly first?: string;
  readonly items: readonly Item[];
  /** The key after which the next page begins, of the last item or of how far was looked; absent on the last page. */
  readonly next?: string;
}

export interface PageRequest {
  readonly size: number;
  readonly after?: string | undefined;
  readonly direction: "Ascending" | "Descending";
  /** At most this many records are looked through for it, unless the store's own bound is meant. */
  readonly readMax?: number;
}
