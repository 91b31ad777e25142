import type { Exchange } from '../exchange/exchange.js';
import type { HttpResponse } from '../exchange/http-response.js';

/** The values of the variables in the path of an endpoint, decoded. */
export type PathParams = Readonly<Record<string, string>>;

type Answer = HttpResponse | Promise<HttpResponse>;

/** A path of the service, with everything that it responds to any method. */
export interface Endpoint {
  /** `/internal/users/{id}`: a variable is one segment. `/console/{+view}`: the last one takes the rest (RFC 6570). */
  readonly path: string;
  /** Returns undefined if the path does not exist for this request: the host responds. */
  readonly serve: (exchange: Exchange, params: PathParams) => Answer | undefined;
}

/** An endpoint that exists for every request. */
export interface SteadyEndpoint extends Endpoint {
  readonly serve: (exchange: Exchange, params: PathParams) => Answer;
}
