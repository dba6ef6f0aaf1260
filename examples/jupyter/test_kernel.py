"""What a kernel for Go has to do, as Jupyter's own tests ask, and interrupts."""

import unittest

import jupyter_kernel_test


class GoschedKernelTests(jupyter_kernel_test.KernelTests):
    kernel_name = "gosched"
    language_name = "go"
    file_extension = ".go"
    code_hello_world = 'fmt.Println("hello, world")'
    code_stderr = 'println("to standard error")'
    code_execute_result = [{"code": "6 * 7", "result": "42 // int"}]
    code_generate_error = "x := undefined"
    completion_samples = [{"text": "strings.ToU", "matches": {"ToUpper", "ToUpperSpecial"}}]
    complete_code_samples = ["x := 1", "func f() int { return 1 }"]
    incomplete_code_samples = ["for {", "s := `raw"]
    invalid_code_samples = ["1 +* ]"]
    code_inspect_sample = "strings.Repeat"

    def test_interrupt(self):
        self.flush_channels()
        self.kc.execute('println("it runs"); for {}')
        while self.kc.get_iopub_msg(timeout=10)["msg_type"] != "stream":
            pass
        self.km.interrupt_kernel()
        reply = self.kc.get_shell_msg(timeout=10)
        self.assertEqual(reply["content"]["ename"], "interrupted")
        self.flush_channels()
        reply, output = self.execute_helper(code="1 + 1")
        self.assertEqual(reply["content"]["status"], "ok")
        self.assertEqual(output[0]["content"]["data"]["text/plain"], "2 // int")


if __name__ == "__main__":
    unittest.main()
