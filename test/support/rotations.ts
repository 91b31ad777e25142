import type { TestService } from './service.js';

/** Returns the number of rotations of a user's sessions. */
export async function rotationsOf({ sql }: TestService, email: string): Promise<number> {
  const [row] = await sql(
    `SELECT sum(s.generation) AS rotations FROM sessions s JOIN users u ON u.id = s.user_id WHERE u.email = $1`,
    [email],
  );
  return Number(row?.rotations);
}
