import type { TableInfo } from "../../lib/types";

/** Returns how many persons sit at a table. */
export const personsAt = ({ seats }: TableInfo) => seats.filter((seat) => seat.person).length;
