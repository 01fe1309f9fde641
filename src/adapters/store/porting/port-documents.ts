// The documents of port orders, stored in the order's transaction, so that any process can send them on.

import type { PortDocument, PortDocumentStore } from "../../../domain/porting/index.ts";
import type { Queryable } from "../engine/database.ts";
import { first } from "../engine/statements.ts";

interface Row {
  readonly name: string;
  readonly contentType: string;
  readonly sha256: string;
  readonly bytes: Buffer;
}

const SELECT = `select name, content_type as "contentType", sha256, content as bytes from port_documents`;

export function portDocumentStore(db: Queryable): PortDocumentStore {
  return {
    async add(orderSid, documents, now) {
      // One at a time: each may be large.
      for (const document of documents) {
        await db.query(
          `insert into port_documents (order_sid, place, name, content_type, sha256, page_count, content, created_at)
           select $1, coalesce(max(place), 0) + 1, $2, $3, $4, $5, $6, $7 from port_documents where order_sid = $1
           on conflict (order_sid, sha256) do nothing`,
          [
            orderSid,
            document.name,
            document.contentType,
            document.sha256,
            document.pageCount,
            Buffer.from(document.bytes.buffer, document.bytes.byteOffset, document.bytes.byteLength),
            now,
          ],
        );
      }
    },
    read: (orderSid, place) => first<Row>(db, `${SELECT} where order_sid = $1 and place = $2`, [orderSid, place]),
  };
}

export async function documentsOf(db: Queryable, orderSid: string): Promise<readonly PortDocument[]> {
  return db.query<Row>(`${SELECT} where order_sid = $1 order by place`, [orderSid]);
}
