// errorcheck
package main

// Positions of the compiler hold columns below 255.

func main() {
                                                                                                                                                                                                                                                             a
                                                                                                                                                                                                                                                              b
                                                                                                                                                                                                                                                                                                            c
}
