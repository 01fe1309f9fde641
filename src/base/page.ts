// Keyset pagination: a page starts after a key, so pages stay stable while rows are added.

export interface Page<Item> {
  /** The key of the first item: a page in the other direction may begin after it. */
  readonly first?: string;
  readonly items: readonly Item[];
  /** The key of the last item; absent on the last page. */
  readonly next?: string;
}

export interface PageRequest {
  readonly size: number;
  readonly after?: string | undefined;
  readonly direction: "Ascending" | "Descending";
}
