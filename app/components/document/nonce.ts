import { createContext, useContext } from "react";

/** The nonce that inline scripts of this document carry; empty in a browser, which hides it from scripts. */
const NonceContext = createContext("");

export const NonceProvider = NonceContext.Provider;
export const useNonce = () => useContext(NonceContext);
