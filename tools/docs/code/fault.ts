/** Something on a page that does not hold. */
export interface Fault {
  file: string;
  line: number;
  message: string;
}
