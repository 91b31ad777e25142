import { statement, type Database, type Transaction } from '../storage/database.js';
import type { Picture } from './picture.js';

const PICTURE = {
  put: statement(
    'user_picture_put',
    `INSERT INTO user_pictures (user_id, id, content, content_type, width, height) VALUES ($1, $2, $3, $4, $5, $6)
   ON CONFLICT (user_id) DO UPDATE SET id = excluded.id, content = excluded.content, content_type = excluded.content_type,
     width = excluded.width, height = excluded.height, updated_at = now()`,
  ),
  findById: statement('user_picture_by_id', 'SELECT content, content_type FROM user_pictures WHERE id = $1'),
  remove: statement('user_picture_remove', 'DELETE FROM user_pictures WHERE user_id = $1 RETURNING id'),
};

/** The file of a picture. */
export type PictureFile = Pick<Picture, 'content' | 'contentType'>;

/**
 * The pictures that users have uploaded. A trigger removes one when its user gets another address of a picture, or none.
 */
export class ProfilePictureRepository {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Keeps the picture of a user in place of the former one, whose address ends. The transaction has locked the user's row. */
  async put(userId: string, { id, ...picture }: Picture & { id: string }, trx: Transaction): Promise<void> {
    const { content, contentType, width, height } = picture;
    await this.#database.query(PICTURE.put, [userId, id, content, contentType, width, height], trx);
  }

  async findById(id: string): Promise<PictureFile | undefined> {
    const [row] = await this.#database.query<{ content: Buffer; content_type: Picture['contentType'] }>(
      PICTURE.findById,
      [id],
    );
    return row && { content: row.content, contentType: row.content_type };
  }

  /** Removes the picture of a user whose row the transaction has locked. @returns whether there was one. */
  async remove(userId: string, trx: Transaction): Promise<boolean> {
    return (await this.#database.query(PICTURE.remove, [userId], trx)).length > 0;
  }
}
