import express, { type Router } from "express";
import type { WebContext } from "../context.ts";

export function storefrontRoutes(_web: WebContext): Router {
  return express.Router();
}
